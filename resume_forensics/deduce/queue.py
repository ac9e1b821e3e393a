"""What became of each message in the harness's queue for the model. In: queue moves in file order. Out: which items reached the model.

First in, first out: `dequeue` takes the head, `remove` the item that its content names, else the head, `popAll` all.
"""

from collections import OrderedDict, defaultdict, deque

from resume_forensics.model.event import QueueMove
from resume_forensics.text import Raw
from resume_forensics.vocabulary import QueueStep


class MessageQueue:
    """The queue of one transcript. An item is known by the line of its `enqueue`.

    `traced_since`: from this version of the harness, an item that left without saying so was not delivered.
    """

    def __init__(self, traced_since: tuple[int, ...]) -> None:
        self._traced_since = traced_since
        self._items: OrderedDict[int, Raw | None] = OrderedDict()
        self._lines: defaultdict[Raw, deque[int]] = defaultdict(deque)
        self._watched: set[int] = set()
        self._untold: set[int] = set()

    def see(self, move: QueueMove, version: tuple[int, ...]) -> None:
        """Take one move; `version` is the harness's at that moment, () where unknown."""
        told = move.told or not version or version < self._traced_since
        match move.step:
            case QueueStep.ENQUEUE:
                self._items[move.stamp.line] = move.content
                if move.content is not None:
                    self._lines[move.content].append(move.stamp.line)
            case QueueStep.DEQUEUE:
                self._leave(next(iter(self._items), None), told=told)
            case QueueStep.REMOVE:
                self._leave(self._named(move.content) or next(iter(self._items), None), told=told)
            case QueueStep.POP_ALL:
                for line in list(self._items):
                    self._leave(line, told=told)

    def watch(self, line: int) -> None:
        """Remember what becomes of the item enqueued at `line`; of all others nothing is kept once they have left."""
        self._watched.add(line)

    def reached_model(self, line: int) -> bool:
        """Whether the watched item enqueued at `line` left the queue towards the model, as far as the queue itself can tell."""
        return line not in self._items and line not in self._untold

    def _named(self, content: Raw | None) -> int | None:
        return next((line for line in self._lines.get(content, ()) if line in self._items), None) if content else None

    def _leave(self, line: int | None, *, told: bool) -> None:
        if line is None:
            return
        content = self._items.pop(line)
        if content is not None:
            self._lines[content].remove(line)
            if not self._lines[content]:
                del self._lines[content]
        if not told and line in self._watched:
            self._untold.add(line)
