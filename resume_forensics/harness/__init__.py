"""One file per harness: pure translation of its records into events, and the tables that say how it spells things."""
