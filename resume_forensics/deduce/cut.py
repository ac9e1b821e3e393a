"""A session's book as it stood at an earlier moment. In: the book and the stamp of a record. Out: the same book without what came later."""

from msgspec.structs import replace

from resume_forensics.deduce.ledger import Book
from resume_forensics.deduce.order import is_before
from resume_forensics.model.event import Stamp


def cut_book(book: Book, moment: Stamp) -> Book:
    """The book of the same session if its files ended at `moment`. Links and calls stay: they only name what the rest says.

    A call that has its true result is taken to have had it at once: no turn stands between the two. The queue is that of the whole
    session, so how an end became known is not that of the moment.
    """
    ends = {key: [entry for entry in entries if is_before(entry.end.stamp, moment)] for key, entries in book.ends.items()}
    return replace(
        book,
        launches={key: launch for key, launch in book.launches.items() if is_before(launch.stamp, moment)},
        open_spawns={key: call for key, call in book.open_spawns.items() if is_before(call.stamp, moment)},
        lost_calls={key: call for key, call in book.lost_calls.items() if is_before(call.stamp, moment)},
        ends={key: entries for key, entries in ends.items() if entries},
        mentions={key: mention for key, mention in book.mentions.items() if is_before(mention.stamp, moment)},
        kills=[kill for kill in book.kills if is_before(kill.stamp, moment)],
    )
