"""The pure rules are changed a line at a time, and every change that no test notices is told: `./dev mutate`."""
