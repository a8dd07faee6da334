"""What Setright reaches on this machine: `./dev bench NAME [--json]`."""
