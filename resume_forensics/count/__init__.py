"""Adds up sessions; a tally merges."""
