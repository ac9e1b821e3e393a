"""The only crossing: in which order the rooms speak."""
