"""The few words that every room speaks."""
