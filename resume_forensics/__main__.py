"""`python -m resume_forensics` is `resume-scan`."""

from resume_forensics.cli.scan import main

if __name__ == "__main__":
    main()
