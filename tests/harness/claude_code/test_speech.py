"""What a record says aloud: every word of user and model, and nothing that the harness wrote round it."""

from pathlib import Path
from typing import Any

import pytest

from resume_forensics.harness.claude_code.speech import read_speech
from resume_forensics.model.record import Place, Record
from resume_forensics.model.session import Source
from resume_forensics.text import reveal
from resume_forensics.vocabulary import Speaker

NOTICE = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n<summary>done</summary>\n</task-notification>"
Said = tuple[Speaker, str] | None


def said(data: dict[str, Any]) -> Said:
    """Who says what in a record."""
    spoken = read_speech(Record(place=Place(line=1, byte=0), data=data), Source(path=Path("s.jsonl")))
    return (spoken.speaker, reveal(spoken.text)) if spoken else None


def user(content: object, **more: Any) -> Said:  # noqa: ANN401 (a record holds any JSON)
    """What a user record says."""
    return said({"type": "user", "message": {"role": "user", "content": content}, **more})


def block(text: str, kind: str = "text") -> dict[str, str]:
    """A block of a message."""
    return {"type": kind, "text": text}


@pytest.mark.parametrize("text", ["resume", "ok", "y", "go on,\nplease"])
def test_no_turn_is_too_short(text: str) -> None:
    assert user(text) == (Speaker.HUMAN, text)


def test_the_texts_of_a_message_stand_one_below_the_other() -> None:
    assert user([block(" a "), block("image", "image"), block("  "), block("b")]) == (Speaker.HUMAN, "a\nb")
    content = [block("thoughts", "thinking"), block("I look."), {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}]
    assert said({"type": "assistant", "message": {"content": content}}) == (Speaker.ASSISTANT, "I look.")


def test_the_result_of_a_tool_says_nothing_and_text_beside_it_does() -> None:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "output"}
    assert user([result]) is None
    assert user([result, block("stop that")]) == (Speaker.TOOL, "stop that")


@pytest.mark.parametrize(
    "tag",
    ["system-reminder", "local-command-caveat", "local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"],
)
def test_blocks_of_the_harness_are_left_out(tag: str) -> None:
    assert user(f"<{tag}>noise</{tag}>") is None
    whole = user(f"before <{tag}>noise\n</{tag}>after <{tag}>more</{tag}>")
    assert whole is not None
    assert whole[1] == "before after"


def test_a_block_that_never_closes_goes_to_the_end() -> None:
    assert user("before <system-reminder>noise <bash-stdout>x</bash-stdout>") == (Speaker.HUMAN, "before")


def test_tags_round_what_was_typed_go_and_what_they_hold_stays() -> None:
    said_aloud = user("<command-name>/work</command-name><command-args>--fast</command-args>")
    assert said_aloud is not None
    assert said_aloud[1].split() == ["/work", "--fast"]
    assert user("<user_query>resume</user_query>") == (Speaker.HUMAN, "resume")


def test_a_notice_is_spoken_by_nobody_of_the_conversation() -> None:
    told = user(NOTICE)
    assert told is not None
    assert told[0] is Speaker.NOTICE


def test_what_was_typed_in_the_middle_of_a_turn_is_said_too() -> None:
    def queued(prompt: object, **more: Any) -> Said:  # noqa: ANN401 (as above)
        return said({"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt, **more}})

    assert queued("also the tests") == (Speaker.HUMAN, "also the tests")
    assert queued([block("also")]) == (Speaker.HUMAN, "also")
    told = queued(NOTICE)
    assert told is not None
    assert told[0] is Speaker.NOTICE
    quoted = queued(NOTICE, origin={"kind": "human"})
    assert quoted is not None
    assert quoted[0] is Speaker.HUMAN
    assert queued(None) is None


@pytest.mark.parametrize(
    "data",
    [
        {"type": "system", "content": "x"},
        {"type": "attachment", "attachment": {"type": "diagnostics", "prompt": "x"}},
        {"type": "progress"},
        {"type": 7},
        {},
        {"type": "user", "message": 7},
        {"type": "assistant", "message": {"content": [7, {"type": "text"}]}},
    ],
)
def test_other_records_say_nothing(data: dict[str, Any]) -> None:
    assert said(data) is None


def test_many_blocks_cost_no_more_than_their_length() -> None:
    assert user("<system-reminder>" * 50_000) is None
    many = user("<system-reminder></system-reminder>x" * 20_000)
    assert many is not None
    assert many[1] == "x" * 20_000
