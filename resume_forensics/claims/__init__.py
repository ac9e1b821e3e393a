"""One file per written-state system: pure translation of its files into claims."""
