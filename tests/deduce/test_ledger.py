"""What the ledger keeps: launches, ends and calls, each once; and nothing of what is none of its business."""

from datetime import timedelta

from msgspec import Struct

from deduce.builders import MAIN, OWN, START, Tape, feed, helper_tape, plain
from resume_forensics.deduce.ledger import Ledger
from resume_forensics.limits import LIMITS
from resume_forensics.model.event import Belonging, Call, Event, QueueMove, Result, Stamp, Turn
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Channel, DriverState, QueueStep, Speaker, WorkerKind

BASH, MESSAGE = frozenset({"Bash"}), frozenset({"SendMessage"})


def sizes(thing: object) -> dict[str, int]:
    """How much each container of an object holds."""
    names = thing.__struct_fields__ if isinstance(thing, Struct) else tuple(vars(thing))
    return {name: len(held) for name in names if hasattr(held := getattr(thing, name), "__len__") and name != "_traced_since"}


def test_one_launch_rewritten_is_one_and_stands_where_it_first_stood() -> None:
    tape = Tape()
    for _ in range(3):
        tape.launch("a1", "t1")
    launches = feed(tape).book.launches
    assert [launch.stamp.line for launch in launches.values()] == [1]


def test_the_same_id_by_another_tool_call_is_another_launch() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    tape.launch("a1", "t2")
    assert len(feed(tape).book.launches) == 2


def test_a_text_receipt_counts_only_from_a_tool_that_can_give_it() -> None:
    tape = Tape()
    tape.call("t1", "Read")
    tape.launch("b1", "t1", WorkerKind.BACKGROUND_SHELL, only_from=BASH)
    tape.call("t2", "Bash")
    tape.launch("b2", "t2", WorkerKind.BACKGROUND_SHELL, only_from=BASH)
    assert [plain(worker) for worker, _ in feed(tape).book.launches] == ["b2"]


def test_a_revival_without_id_takes_the_target_of_its_call() -> None:
    tape = Tape()
    tape.call("t1", "SendMessage", target="a1")
    tape.launch(None, "t1", revival=True, only_from=MESSAGE)
    assert [plain(worker) for worker, _ in feed(tape).book.launches] == ["a1"]


def test_a_revival_without_id_says_nothing_where_its_call_names_nobody() -> None:
    tape = Tape()
    tape.call("t1", "SendMessage")
    tape.launch(None, "t1", revival=True, only_from=MESSAGE)
    tape.launch(None, "unseen", revival=True)
    assert feed(tape).book.launches == {}


def test_a_launch_whose_call_was_not_seen_is_kept_and_the_call_is_wanted() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    ledger = feed(tape)
    assert ledger.wanted_calls() == {Raw("t1")}
    late = Tape()
    late.spawn("t1", prompt="Do it.")
    for event in late.events:
        ledger.see(event)
    assert ledger.wanted_calls() == frozenset()
    assert plain(ledger.book.calls[Raw("t1")].prompt) == "Do it."
    assert ledger.book.open_calls == {}


def test_a_receipt_that_another_tools_result_quoted_is_taken_back_when_its_call_is_seen() -> None:
    tape = Tape()
    tape.launch("b1", "t1", WorkerKind.BACKGROUND_SHELL, only_from=BASH)
    tape.launch("b2", "t2", WorkerKind.BACKGROUND_SHELL, only_from=BASH)
    tape.call("t1", "Read")
    tape.call("t2", "Bash")
    book = feed(tape).book
    assert [plain(worker) for worker, _ in book.launches] == ["b2"]
    assert [plain(call) for call in book.calls] == ["t2"]
    assert book.open_calls == {}


def test_a_revival_without_id_waits_for_its_call() -> None:
    tape = Tape()
    tape.launch(None, "t1", revival=True, only_from=MESSAGE)
    tape.launch(None, "t2", revival=True, only_from=MESSAGE)
    assert feed(tape).wanted_calls() == {Raw("t1"), Raw("t2")}
    ledger = feed(tape)
    assert (ledger.take_wishes(), ledger.take_wishes()) == ([Raw("t1"), Raw("t2")], [])
    assert [ledger.is_wanted(Raw(one)) for one in ("t1", "t2", "t3")] == [True, True, False]
    tape.call("t1", "SendMessage", target="a1", prompt="more")
    tape.call("t2", "Bash", target="a2")
    ledger = feed(tape)
    assert [plain(worker) for worker, _ in ledger.book.launches] == ["a1"]
    assert plain(ledger.book.calls[Raw("t1")].prompt) == "more"
    assert ledger.wanted_calls() == frozenset()


def test_an_end_that_a_text_suggests_waits_for_its_call() -> None:
    tape = Tape()
    tape.poll(None, answers="t1", only_from=frozenset({"BashOutput"}))
    tape.mention(None, answers="t2")
    ledger = feed(tape)
    assert (ledger.book.ends, ledger.book.mentions) == ({}, {})
    assert ledger.wanted_calls() == {Raw("t1"), Raw("t2")}
    late = Tape()
    late.call("t1", "BashOutput", target="b1")
    late.call("t2", "TaskOutput", target="a2")
    for event in late.events:
        ledger.see(event)
    assert [plain(worker) for worker, _, _ in ledger.book.ends] == ["b1"]
    assert [plain(key[0]) for key in ledger.book.mentions] == ["a2"]
    assert ledger.wanted_calls() == frozenset()


def test_an_end_that_a_text_of_another_tool_suggests_is_none() -> None:
    tape = Tape()
    tape.call("t1", "Bash")
    tape.poll("a1", answers="t1", only_from=frozenset({"TaskOutput"}))
    tape.poll("a2", answers="t2", only_from=frozenset({"TaskOutput"}))
    tape.call("t2", "Bash")
    assert feed(tape).book.ends == {}


def test_an_end_that_names_nobody_is_none() -> None:
    tape = Tape()
    tape.call("t1", "BashOutput")
    tape.poll(None, answers="t1")
    tape.end(None)
    assert feed(tape).book.ends == {}


def test_49_copies_of_a_notice_are_one_entry_with_every_channel() -> None:
    tape = Tape()
    for _ in range(49):
        tape.enqueue("a1", "failed")
    tape.end("a1", "failed")
    ((entry,),) = feed(tape).book.ends.values()
    assert entry.channels == {Channel.QUEUED, Channel.DELIVERED}
    assert (entry.end.stamp.line, entry.queued_line) == (1, 1)


def test_the_same_notice_queued_again_after_a_revival_is_a_new_entry() -> None:
    tape = Tape()
    tape.launch("a1", "t1")
    tape.enqueue("a1")
    tape.launch("a1", "t2", revival=True)
    tape.end("a1")  # the copy that was queued before
    tape.enqueue("a1")
    ((old, new),) = feed(tape).book.ends.values()
    assert (old.channels, old.end.stamp.line) == ({Channel.QUEUED, Channel.DELIVERED}, 2)
    assert (new.channels, new.end.stamp.line) == ({Channel.QUEUED}, 6)


def test_a_notice_in_the_queue_of_another_file_is_not_looked_up_in_this_queue() -> None:
    helper = helper_tape("a1")
    helper.enqueue("b1")
    ((entry,),) = feed(helper).book.ends.values()
    assert (entry.channels, entry.queued_line) == ({Channel.QUEUED}, None)


def test_a_foreground_call_with_a_true_result_stays_closed_whatever_copies_follow() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.result("t1")
    tape.spawn("t1")
    tape.result("t1", lost=True)
    book = feed(tape).book
    assert (book.open_calls, book.open_spawns, book.lost_calls) == ({}, {}, {})


def test_a_lost_result_is_undone_by_a_true_one_and_not_by_another_lost_one() -> None:
    tape = Tape()
    for call in ("t1", "t2"):
        tape.spawn(call)
        tape.result(call, lost=True)
        tape.result(call, lost=True)
    tape.result("t2")
    assert [plain(call) for call in feed(tape).book.lost_calls] == ["t1"]


def test_a_lost_result_of_a_call_that_starts_no_worker_leaves_nothing() -> None:
    tape = Tape()
    tape.call("t1", "Edit")
    tape.result("t1", lost=True)
    assert feed(tape).book.lost_calls == {}


def test_the_oldest_open_calls_are_forgotten_at_the_limit() -> None:
    tape = Tape()
    for number in range(LIMITS.open_calls + 2):
        tape.call(f"t{number}", "Bash")
    open_calls = feed(tape).book.open_calls
    assert len(open_calls) == LIMITS.open_calls
    assert Raw("t1") not in open_calls
    assert Raw("t2") in open_calls


def test_open_calls_that_are_workers_are_never_forgotten() -> None:
    tape = Tape()
    tape.spawn("first")
    for number in range(LIMITS.open_calls + 2):
        tape.call(f"t{number}", "Bash")
    assert feed(tape).is_awaited(Raw("first"))
    tape.result("first")
    assert not feed(tape).is_awaited(Raw("first"))


def test_calls_whose_result_matters_are_awaited_until_it_is_there() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.spawn("t2")
    tape.call("t3", "CronDelete", awaited=True)
    tape.call("t4", "Bash")
    tape.launch("a2", "t2")
    ledger = feed(tape)
    assert (ledger.take_awaited(), ledger.take_awaited()) == ([Raw("t1"), Raw("t2"), Raw("t3")], [])
    assert set(ledger.awaited_calls()) == {Raw("t1"), Raw("t2"), Raw("t3")}
    assert [ledger.is_awaited(Raw(call)) for call in ("t1", "t2", "t3", "t4")] == [True, True, True, False]
    for call in ("t1", "t2", "t3", "t4"):
        tape.result(call)
    assert not any(feed(tape).is_awaited(Raw(call)) for call in ("t1", "t2", "t3", "t4"))


def test_a_call_is_unlinked_until_something_ties_it_to_its_helper_or_its_result_is_there() -> None:
    tape = Tape()
    tape.spawn("t1")
    tape.spawn("t2")
    tape.link("t1", "a1")
    assert [feed(tape).is_unlinked(Raw(call)) for call in ("t1", "t2", "t3")] == [False, True, False]
    tape.result("t2")
    assert not feed(tape).is_unlinked(Raw("t2"))


def test_the_call_that_set_up_a_driver_is_wanted_where_it_was_not_seen() -> None:
    tape = Tape()
    tape.driver("j1", DriverState.LOST, tool_use_id="t1")
    assert feed(tape).wanted_calls() == {Raw("t1")}
    tape.call("t1", "CronCreate", prompt="check")
    ledger = feed(tape)
    assert (ledger.wanted_calls(), ledger.book.open_calls) == (frozenset(), {})
    assert plain(ledger.book.calls[Raw("t1")].prompt) == "check"


def test_the_first_link_of_a_call_stays() -> None:
    tape = Tape()
    tape.link("t1", "a1")
    tape.link("t1", "a2")
    assert feed(tape).book.links == {Raw("t1"): Raw("a1")}


def test_queue_counts_and_kills_of_a_helper_are_not_the_sessions() -> None:
    helper = helper_tape("a1")
    helper.move(QueueStep.ENQUEUE, "x")
    helper.count(3)
    helper.kill()
    book = feed(helper).book
    assert (book.counts, book.kills, book.queue._items) == (None, [], {})


def test_the_last_count_of_the_session_itself_is_kept() -> None:
    tape = Tape()
    first = tape.count(1)
    tape.set(copied_from=Raw("older"))
    tape.count(7)
    assert feed(tape).book.counts == first


def test_a_driver_that_a_text_suggests_waits_for_its_call() -> None:
    tape = Tape()
    tape.driver("j1", DriverState.REMOVED, tool_use_id="t1", only_from=frozenset({"CronDelete"}))
    tape.driver("j2", DriverState.REMOVED, tool_use_id="t2", only_from=frozenset({"CronDelete"}))
    tape.call("t1", "CronDelete")
    tape.call("t2", "Bash")
    assert [plain(driver) for driver, _ in feed(tape).book.drivers] == ["j1"]


def test_the_version_of_a_helper_does_not_change_how_the_queue_is_read() -> None:
    main = Tape(version=(2, 1, 50))
    queued = main.enqueue("b1")
    helper = helper_tape("a1", version=(2, 1, 332))
    helper.turn(Speaker.ASSISTANT)
    main_later = Tape(line=50, version=())
    main_later.move(QueueStep.DEQUEUE)
    ledger = feed(main, helper, main_later)
    assert ledger.book.queue.reached_model(queued.stamp.line)


def irrelevant(count: int) -> list[Event]:
    """Turns, calls with their results, directories and messages of a person in the queue; none of them is about a worker."""
    events: list[Event] = []
    for line in range(1, count // 6 + 2):
        stamp = Stamp(source=MAIN, line=line, at=START + timedelta(seconds=line), session_id=Raw(OWN), version=(2, 1, 200))
        call = Raw(f"t{line}")
        events += [
            Turn(stamp=stamp, speaker=Speaker.ASSISTANT, text=Raw("words")),
            Call(stamp=stamp, tool_use_id=call, tool=Raw("Bash"), command=Raw("ls")),
            Result(stamp=stamp, tool_use_id=call, lost=line % 7 == 0),
            Belonging(stamp=stamp, directory=Raw("/work")),
            QueueMove(stamp=stamp, step=QueueStep.ENQUEUE, content=Raw(f"message {line}")),
            QueueMove(stamp=stamp, step=QueueStep.DEQUEUE),
        ]
    return events


def test_200_000_irrelevant_events_leave_nothing_in_the_ledger() -> None:
    ledger = Ledger((2, 1, 90))
    for event in irrelevant(200_000):
        ledger.see(event)
    assert set(sizes(ledger.book).values()) == {0}
    assert set(sizes(ledger).values()) <= {0, 3}  # the version of the harness has three numbers
    assert set(sizes(ledger.book.queue).values()) == {0}
