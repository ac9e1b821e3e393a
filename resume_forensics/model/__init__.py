"""What things are: frozen values without behaviour beyond small questions about themselves."""
