"""Real runs of real agents, which are on some machines only and never part of the project."""
