"""The only room that touches the machine: files, lines, records, sessions, git, processes, the clock."""
