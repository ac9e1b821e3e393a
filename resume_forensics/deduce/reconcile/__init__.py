"""Claims held against evidence: one file per system, each a set of decision tables. Pure functions of what was written and seen."""
