"""A door to `resume-corpus-stats` for those who call a file instead of a command."""

from resume_forensics.cli.corpus_stats import main

if __name__ == "__main__":
    main()
