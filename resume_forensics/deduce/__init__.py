"""Each file answers one question from events and facts. Pure: nothing here touches a file, a clock or a process."""
