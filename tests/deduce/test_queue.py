"""The harness's queue: first in, first out; what left it without saying so counts as told only in versions that leave no record."""

import pytest

from deduce.builders import TRACED, Tape
from resume_forensics.deduce.queue import MessageQueue
from resume_forensics.vocabulary import QueueStep

OLD, NEW = (2, 1, 89), TRACED
ENQUEUE, DEQUEUE, REMOVE, POP_ALL = QueueStep.ENQUEUE, QueueStep.DEQUEUE, QueueStep.REMOVE, QueueStep.POP_ALL


def reached(version: tuple[int, ...], *moves: tuple[QueueStep, str | None] | tuple[QueueStep, str | None, bool]) -> list[bool]:
    """For each enqueued item in turn, whether it reached the model. Moves: step, content, told."""
    tape, queue = Tape(), MessageQueue(TRACED)
    lines = []
    for step, content, *told in moves:
        move = tape.move(step, content, told=bool(told and told[0]))
        if step is ENQUEUE:
            lines.append(move.stamp.line)
            queue.watch(move.stamp.line)
        queue.see(move, version)
    return [queue.reached_model(line) for line in lines]


def test_an_item_that_never_left_did_not_reach_the_model() -> None:
    assert reached(OLD, (ENQUEUE, "a")) == [False]


def test_dequeue_takes_the_head() -> None:
    assert reached(OLD, (ENQUEUE, "a"), (ENQUEUE, "b"), (DEQUEUE, None)) == [True, False]


def test_dequeue_takes_the_head_though_its_content_is_none() -> None:
    assert reached(OLD, (ENQUEUE, None), (ENQUEUE, "b"), (DEQUEUE, None)) == [True, False]


def test_remove_takes_the_item_that_its_content_names() -> None:
    assert reached(OLD, (ENQUEUE, "a"), (ENQUEUE, "b"), (REMOVE, "b")) == [False, True]


def test_remove_takes_the_oldest_of_equal_items() -> None:
    assert reached(OLD, (ENQUEUE, "a"), (ENQUEUE, "a"), (REMOVE, "a")) == [True, False]


@pytest.mark.parametrize("content", [None, "unknown"])
def test_remove_that_names_nothing_in_the_queue_takes_the_head(content: str | None) -> None:
    assert reached(OLD, (ENQUEUE, "a"), (ENQUEUE, "b"), (REMOVE, content)) == [True, False]


def test_pop_all_empties_the_queue() -> None:
    assert reached(OLD, (ENQUEUE, "a"), (ENQUEUE, "b"), (POP_ALL, None), (ENQUEUE, "c")) == [True, True, False]


def test_moves_of_an_empty_queue_change_nothing() -> None:
    assert reached(OLD, (DEQUEUE, None), (REMOVE, "a"), (POP_ALL, None), (ENQUEUE, "a")) == [False]


@pytest.mark.parametrize(
    ("version", "delivered"),
    [((2, 1, 89), True), ((2, 1, 90), False), ((2, 1, 332), False), ((2, 0, 77), True), ((), True)],
)
@pytest.mark.parametrize("step", [DEQUEUE, REMOVE, POP_ALL])
def test_from_2_1_90_an_item_that_left_without_a_trace_was_not_delivered(
    version: tuple[int, ...],
    delivered: bool,  # noqa: FBT001 (a column of the table)
    step: QueueStep,
) -> None:
    assert reached(version, (ENQUEUE, "a"), (step, None)) == [delivered]


@pytest.mark.parametrize("step", [DEQUEUE, REMOVE])
def test_a_reason_that_says_delivered_counts_in_every_version(step: QueueStep) -> None:
    assert reached(NEW, (ENQUEUE, "a"), (ENQUEUE, "b"), (step, None, True), (step, None, False)) == [True, False]


def test_nothing_is_kept_of_items_that_nobody_watches() -> None:
    tape, queue = Tape(), MessageQueue(TRACED)
    for number in range(1_000):
        queue.see(tape.move(ENQUEUE, f"message {number}"), NEW)
        queue.see(tape.move(DEQUEUE), NEW)
    assert [len(held) for held in (queue._items, queue._lines, queue._untold, queue._watched)] == [0, 0, 0, 0]
