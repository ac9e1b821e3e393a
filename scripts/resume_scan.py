"""A door to `resume-scan` for those who call a file instead of a command."""

from resume_forensics.cli.scan import main

if __name__ == "__main__":
    main()
