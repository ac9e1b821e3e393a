"""Forensics for coding sessions that were stopped from outside."""
