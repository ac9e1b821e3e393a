"""What came of a turn, told event by event, up to the next human turn."""

from pathlib import Path

from resume_forensics.count.aftermath import Aftermath
from resume_forensics.model.event import Call, Event, Stamp, Turn
from resume_forensics.model.session import Source
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Speaker, WorkerKind

SOURCE = Source(path=Path("s.jsonl"))


def stamp(line: int = 1, *, sidechain: bool = False) -> Stamp:
    return Stamp(source=SOURCE, line=line, sidechain=sidechain)


def call(tool: str = "Read", *, sidechain: bool = False, spawns: WorkerKind | None = None, target: str | None = None) -> Call:
    return Call(
        stamp=stamp(sidechain=sidechain), tool_use_id=Raw("t"), tool=Raw(tool), spawns=spawns, target=Raw(target) if target else None
    )


def turn(speaker: Speaker, text: str | None = None, line: int = 1) -> Turn:
    return Turn(stamp=stamp(line), speaker=speaker, text=Raw(text) if text else None)


def follow(*events: Event) -> Aftermath:
    after = Aftermath()
    for event in events:
        after.see(event)
    return after


def test_nothing_happened() -> None:
    after = follow()
    assert (after.called, after.spawned, after.acknowledged, after.retyped, after.closed, after.targets) == (*[False] * 5, set())


def test_calls_their_targets_and_the_workers_they_start() -> None:
    after = follow(call(), call("SendMessage", target="a1"), call("Task", spawns=WorkerKind.AGENT, target="a2"))
    assert (after.called, after.spawned, after.targets) == (True, True, {Raw("a1").fingerprint()})


def test_the_next_human_turn_closes_it() -> None:
    after = follow(turn(Speaker.NOTICE, "resume"), turn(Speaker.HUMAN, "go on", line=9), call(), turn(Speaker.HUMAN, "x", line=11))
    assert (after.closed, after.next_line, after.retyped, after.called) == (True, 9, True, False)
    assert follow(turn(Speaker.HUMAN, "what now?")).retyped is False
    assert follow(turn(Speaker.HUMAN)).retyped is False


def test_a_death_is_acknowledged_by_the_model_alone() -> None:
    assert follow(turn(Speaker.ASSISTANT, "two workers died")).acknowledged
    assert not follow(turn(Speaker.TOOL, "two workers died"), turn(Speaker.ASSISTANT, "all is well"), turn(Speaker.ASSISTANT)).acknowledged


def test_what_a_helper_did_in_the_main_file_is_passed_over() -> None:
    assert not follow(call(sidechain=True)).called
