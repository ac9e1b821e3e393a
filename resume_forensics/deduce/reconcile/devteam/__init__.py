"""The written state of a devteam held against the machine: a report, and then nothing until the client has spoken."""

from resume_forensics.deduce.reconcile.devteam.verdict import judge

__all__ = ["judge"]
