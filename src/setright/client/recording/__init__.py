"""Recording runs where they happen: written to this machine at once, and sent to the server behind the agent's back."""
