"""Writes transcripts as Claude Code leaves them, of any size, and answers what is true of them. In: sizes and a seed. Out: files, a truth.

The same arguments give the same bytes. Memory grows with the number of workers, not with the size of a file.
Run it: python scripts/bench/transcripts.py OUT --bytes 64M --seed 1 [--giant 200M] [--workers N] [--files N]
"""

# ruff: noqa: S311 (no secret, a transcript)

import argparse
import json
import random
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from resume_forensics.vocabulary import StopCause
from scripts.bench.filler import CWD, START, Document, Filler, Pen, dump
from scripts.bench.quotes import make_quotes
from scripts.bench.truth import Fate, Truth
from scripts.bench.workers import REPORTED, SHELL, UNREPORTED, Crew, Worker, call, result

_BUFFER_BYTES = 1 << 20
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_GIANT_AT = 0.9
_GIANT_MARK = "@giant@"
_LAST_PROMPT = "Assign the last two berths."


class Stop(Struct, frozen=True, kw_only=True):
    """One way in which a session ends: the records that say so."""

    cause: StopCause
    text: str
    fields: Document


def _error(cause: StopCause, text: str, **fields: object) -> Stop:
    return Stop(cause=cause, text=text, fields={"isApiErrorMessage": True, **fields})


STOPS = (
    _error(
        StopCause.API_OVERLOAD,
        'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        error="server_error",
        apiErrorStatus=529,
    ),
    _error(StopCause.NETWORK, "API Error: Connection error.", error="unknown"),
    _error(StopCause.AUTH_EXPIRED, "Not logged in · Please run /login", error="authentication_failed"),
    _error(StopCause.USAGE_LIMIT, "You've hit your session limit · resets 3pm (Europe/Berlin)", error="rate_limit", apiErrorStatus=429),
    Stop(cause=StopCause.USER_INTERRUPT, text="[Request interrupted by user]", fields={}),
    Stop(cause=StopCause.CLEAN_OR_UNKNOWN, text="All berths are assigned.", fields={}),
)


class Recipe(Struct, frozen=True, kw_only=True):
    """What a session is made of.

    `size_bytes`: about how long it is, the giant line not counted; it is longer where its workers need more room.
    `giant_line_bytes`: the length of one line, the result of a shell that went to the background. `quotes`: records that repeat
    receipts, notices and errors where they mean nothing. `bad_lines`: lines that are no record. `resumes`: how often it was stopped by
    an error and told to resume. `crlf`: lines end with CR LF.
    """

    size_bytes: int
    workers: int = 40
    giant_line_bytes: int = 0
    quotes: int = 24
    bad_lines: int = 0
    resumes: int = 0
    crlf: bool = False
    start: datetime = START


def write_session(path: Path, recipe: Recipe, seed: int) -> Truth:
    """Write one session and answer its truth. The session's id is the stem of `path`; folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return _Session(path, recipe, seed, Filler(seed)).write()


def write_project(folder: Path, number: int, recipe: Recipe, seed: int) -> list[Truth]:
    """Write so many sessions of one directory, made alike, as `write_sessions` does."""
    return write_sessions(folder, [recipe] * number, seed)


def write_sessions(folder: Path, recipes: Sequence[Recipe], seed: int) -> list[Truth]:
    """Write the sessions of one directory into a projects folder, an hour between their beginnings, the newest last."""
    numbers = random.Random(f"project {seed}")
    slug = folder / CWD.replace("/", "-")
    slug.mkdir(parents=True, exist_ok=True)
    filler = Filler(seed)
    truths = []
    for index, recipe in enumerate(recipes):
        path = slug / f"{uuid.UUID(int=numbers.getrandbits(128), version=4)}.jsonl"
        own = replace(recipe, start=recipe.start + timedelta(hours=index))
        truths.append(_Session(path, own, seed + index, filler).write())
    return truths


class _Session:
    """Writes one session from its beginning to its end."""

    def __init__(self, path: Path, recipe: Recipe, seed: int, filler: Filler) -> None:
        self._path = path
        self._recipe = recipe
        self._numbers = random.Random(f"session {seed}")
        self._pen = Pen(path.stem, recipe.start, b"\r\n" if recipe.crlf else b"\n")
        self._filler = filler
        self._crew = Crew(path.stem, seed, recipe.workers)
        self._stop = self._numbers.choice(STOPS)
        self._add_steps()

    def write(self) -> Truth:
        """Write it, and answer its truth."""
        written = 0
        with self._path.open("wb", buffering=_BUFFER_BYTES) as stream:
            for piece in self._pieces():
                written += stream.write(piece)
        return Truth(
            path=self._path,
            size_bytes=written,
            lines=self._pen.lines,
            bad_lines=self._recipe.bad_lines,
            stop_cause=self._stop.cause,
            workers=self._crew.fates,
            resume_turns=self._recipe.resumes,
        )

    def _add_steps(self) -> None:
        """Add to the workers' steps whatever else is no filler."""
        numbers, crew = self._numbers, self._crew
        open_workers = [name for name, fate in crew.fates.items() if fate.state is UNREPORTED]
        for records in make_quotes(numbers, open_workers, self._recipe.quotes):
            crew.put(numbers.uniform(0.1, 0.95), *records)
        for _ in range(self._recipe.resumes):
            crew.put(numbers.uniform(0.3, 0.9), *_fail(STOPS[0]), _ask("resume"))
        for index in range(self._recipe.bad_lines):
            crew.put_written(numbers.random(), partial(_write_bad_line, _WOUNDS[index % len(_WOUNDS)]))
        if self._recipe.giant_line_bytes:
            self._add_giant()

    def _add_giant(self) -> None:
        """A shell that printed very much, was moved to the background, and reported."""
        worker = self._crew.make_worker(SHELL)
        self._crew.put(_GIANT_AT, call("Bash", worker.call, {"command": "make everything", "description": "D"}))
        self._crew.put_written(
            _GIANT_AT, partial(_write_giant, worker, self._filler.text(60_000), self._recipe.giant_line_bytes), counts=False
        )
        self._crew.fates[worker.name] = Fate(kind=SHELL, state=REPORTED)
        self._crew.notify(worker, _GIANT_AT + 0.01, "completed")

    def _pieces(self) -> Iterator[bytes]:
        """The whole file, piece by piece; steps stand where the filler before them has reached their place."""
        yield self._filler.turn(self._pen)
        reached, target = 0, self._recipe.size_bytes
        steps = deque(sorted(self._crew.steps, key=lambda step: (step.at, step.order)))
        exchanges = self._filler.exchanges(self._pen)
        while steps or reached < target:
            while steps and (reached >= target or steps[0].at * target <= reached):
                step = steps.popleft()
                for piece in step.write(self._pen):
                    reached += len(piece) if step.counts else 0
                    yield piece
            exchange = next(exchanges)
            reached += len(exchange)
            yield exchange
        for record in self._last_records():
            yield self._pen.sign(record)

    def _last_records(self) -> Iterator[Document]:
        """How the session ends, and the bookkeeping that may follow."""
        yield _ask(_LAST_PROMPT)
        block: Document = {"type": "text", "text": self._stop.text}
        if self._stop.fields:
            yield from _fail(self._stop)
        elif self._stop.cause is StopCause.USER_INTERRUPT:
            yield {"type": "user", "message": {"role": "user", "content": [block]}}
        else:
            yield {
                "type": "assistant",
                "message": {"model": "claude-opus-4-6", "role": "assistant", "content": [block], "stop_reason": "end_turn"},
            }
            yield {"type": "system", "subtype": "turn_duration", "durationMs": 1_204, "messageCount": 2}
        yield {"type": "last-prompt", "lastPrompt": _LAST_PROMPT, "sessionId": self._path.stem}
        yield {"type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": self._path.stem}


def _ask(text: str) -> Document:
    """What a person typed."""
    return {"type": "user", "message": {"role": "user", "content": text}}


def _fail(stop: Stop) -> Iterator[Document]:
    """Two tries that failed, and the error."""
    error = {"status": 529, "headers": {}, "requestID": None}
    for attempt in (1, 2):
        yield {"type": "system", "subtype": "api_error", "error": error, "retryAttempt": attempt, "maxRetries": 10}
    block: Document = {"type": "text", "text": stop.text}
    message: Document = {"model": "<synthetic>", "role": "assistant", "content": [block], "stop_reason": "stop_sequence"}
    yield {"type": "assistant", "message": message, **stop.fields}


def _break_off(line: bytes) -> bytes:
    return line[: len(line) // 2]


def _lose_the_head(line: bytes) -> bytes:
    return line[len(line) // 2 :]


def _fill_with_nuls(line: bytes) -> bytes:
    return bytes(len(line))


_WOUNDS: tuple[Callable[[bytes], bytes], ...] = (_break_off, _lose_the_head, _fill_with_nuls)


def _write_bad_line(wound: Callable[[bytes], bytes], pen: Pen) -> Iterator[bytes]:
    """A line as a crash leaves it: its end, its beginning or all of it is gone."""
    line = pen.sign({"type": "system", "subtype": "informational", "content": "The tide is late by four minutes. " * 8, "level": "info"})
    body = line.rstrip(b"\r\n")
    yield wound(body) + line[len(body) :]


def _write_giant(worker: Worker, text: str, size_bytes: int, pen: Pen) -> Iterator[bytes]:
    """A receipt whose structured result repeats a text until the line is so long."""
    receipt = f"Command running in background with ID: {worker.name}. Output is being written to: {worker.output}"
    structured: Document = {"stdout": _GIANT_MARK, "stderr": "", "interrupted": False, "backgroundTaskId": worker.name}
    head, _, tail = pen.sign(result(worker.call, receipt, structured)).partition(_GIANT_MARK.encode())
    block = dump({"": f"\x1b[32m{text}"})[5:-2]
    yield head
    for _ in range(-(-size_bytes // len(block))):
        yield block
    yield tail


def read_size(text: str) -> int:
    """A size in bytes from a number with K, M or G behind it, or nothing. Raises `ValueError`."""
    number = text.rstrip("KMG")
    return int(number) * _UNITS[text[len(number) :]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write what the arguments say and print what is true of it."""
    parser = argparse.ArgumentParser(description="Write a transcript, or a folder of them, and print what is true of it as JSON.")
    parser.add_argument("out", type=Path, help="the transcript to write; with --files the projects folder")
    parser.add_argument("--bytes", type=read_size, default=1 << 20, metavar="SIZE", help="its size, as 4096, 64M or 1G (default 1M)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same bytes (default 1)")
    parser.add_argument("--workers", type=int, default=40, help="how many workers it launches (default 40)")
    parser.add_argument("--giant", type=read_size, default=0, metavar="SIZE", help="add one line of this size")
    parser.add_argument("--bad-lines", type=int, default=0, metavar="N", help="add lines that are no record")
    parser.add_argument("--crlf", action="store_true", help="end lines with CR LF")
    parser.add_argument("--files", type=int, default=0, metavar="N", help="write a folder of N sessions, each of the given size")
    given = parser.parse_args(arguments)
    recipe = Recipe(size_bytes=given.bytes, workers=given.workers, giant_line_bytes=given.giant, bad_lines=given.bad_lines, crlf=given.crlf)
    if given.files:
        truths = [truth.document() for truth in write_project(given.out, given.files, recipe, given.seed)]
        print(json.dumps(truths, indent=1))
    else:
        print(json.dumps(write_session(given.out, recipe, given.seed).document(), indent=1))


if __name__ == "__main__":
    main()
