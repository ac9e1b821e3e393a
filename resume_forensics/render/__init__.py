"""Chooses words, columns and keys: a sealed report in, characters out."""
