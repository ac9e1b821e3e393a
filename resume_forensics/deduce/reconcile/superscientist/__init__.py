"""The verdict on a superscientist workflow: stages by a decision table, then what conflicts, what is next and what may be written."""

from resume_forensics.deduce.reconcile.superscientist.judge import judge

__all__ = ["judge"]
