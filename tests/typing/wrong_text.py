"""Wrong uses of the two kinds of text. Every line marked `# E` must be rejected, and no other line."""

import json
from typing import assert_type

from resume_forensics.model.report import Position, Report
from resume_forensics.text import Masked, Raw, compose, forge


def show(text: Masked) -> None: ...


def show_report(report: Report[Masked]) -> None: ...


def write(text: str) -> None: ...


raw = Raw("from a transcript")
masked = forge("from the mask")

write(raw)  # E
show(raw)  # E
show("a plain string")  # E
show(masked.upper())  # E
show(masked[:4])  # E
show(masked + "")  # E
show(f"{masked}")  # E
show(str(masked))  # E
Masked("made by hand")  # E
Masked(raw)  # E
Masked()  # E
Masked.__new__(Masked, "made by hand")  # E

text_1: str = raw  # E
text_2: Masked = "a plain string"  # E
text_3: str = raw + " and more"  # E
text_4: str = "more and " + raw  # E
text_5: str = " ".join([raw])  # E
text_6 = raw[:4]  # E
text_7 = raw.upper()  # E
text_8 = raw.head(4)  # E
text_9 = raw.encode()  # E
parts_1 = list(raw)  # E
parts_2 = "secret" in raw  # E
open(raw)  # E
bytes(raw)  # E
int(raw)  # E
Raw(raw)  # E
forge(raw)  # E

show(masked)
show(masked.head(4))
write(masked)
write(repr(raw))
write(json.dumps(masked))
assert_type(compose("says ", raw), Raw)
assert_type(Position(file=masked, line=1), Position[Masked])
place: Position[Masked] = Position(file=raw, line=1)  # E
