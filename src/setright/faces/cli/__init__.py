"""The command line: it speaks HTTP through our client, and decides nothing."""
