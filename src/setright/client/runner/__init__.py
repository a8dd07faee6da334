"""The runner of test runs: it claims cases, lets an agent do them, and hands in what came out."""
