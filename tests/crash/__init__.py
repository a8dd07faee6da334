"""The server is killed at random moments: nothing that it acknowledged is lost, and no key answers differently."""
