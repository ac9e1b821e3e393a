"""Transcript-like text with secrets planted in it, and ordinary text without any. Everything is generated; seeds decide all.

`plant` takes a recipe of the rules' table (or of its own surroundings) and spells it in one of four difficulties.
"""

# ruff: noqa: S311, E501 (seeds decide all; a line of ordinary text is a line here)

import base64
import json
from random import Random
from string import ascii_letters, digits, hexdigits
from uuid import UUID

from msgspec import Struct

from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rules import RULES

DIFFICULTIES = ("plain", "structured", "contextual", "hard")
SHOWN_CHARS = 8

_WORDS = (
    "the worker reads a file and writes the answer to its output before the session ends while tests run in the background again "
    "token secret password key header request response retry cache module function value error branch commit merge deploy status"
)
_BARE_KINDS = tuple(
    rule for rule in RULES if all(recipe[:1] not in ("'", '"', "{") and " " not in recipe and "\n" not in recipe for recipe in rule.catch)
)


class Planted(Struct, frozen=True, kw_only=True):
    """One text with one secret in it. `bodies`: stretches of which no eight characters in a row may be read once it is masked."""

    kind: str
    difficulty: str
    text: str
    bodies: tuple[str, ...]

    def shows(self, masked: str) -> bool:
        """Whether so much of a body can be read that it leaks."""
        plain = masked.replace("\\u002d", "-").replace("\\u005f", "_").replace("\\/", "/")
        return any(body[at : at + SHOWN_CHARS] in plain for body in self.bodies for at in range(len(body) - SHOWN_CHARS + 1))


def prose(chance: Random, words: int = 12) -> str:
    """A sentence of ordinary words."""
    return " ".join(chance.choices(_WORDS.split(), k=words))


def plant(chance: Random, difficulty: str) -> Planted:
    """A secret of a random kind in a text of one difficulty."""
    rules = _BARE_KINDS if difficulty in ("contextual", "hard") else RULES
    rule = chance.choice(rules)
    recipe = chance.choice(rule.catch)
    sample = write_sample(recipe, chance)
    bodies = tuple(body for body in sample.bodies if len(body) >= SHOWN_CHARS)
    text = {"plain": _plain, "structured": _structured, "contextual": _contextual, "hard": _hard}[difficulty](sample.text, chance)
    return Planted(kind=rule.kind, difficulty=difficulty, text=text, bodies=bodies)


def _plain(secret: str, chance: Random) -> str:
    return f"{prose(chance)}\n{secret}\n{prose(chance)}"


def _structured(secret: str, chance: Random) -> str:
    record = {"type": "user", "uuid": _uuid(chance), "message": {"role": "user", "content": f"{prose(chance)}\n{secret}\n{prose(chance)}"}}
    return json.dumps(record, ensure_ascii=chance.random() < 0.5)


def _contextual(secret: str, chance: Random) -> str:
    frame = chance.choice(
        (
            "export VALUE={}",
            "curl -H 'X-Thing: {}' https://api.example.test/v1",
            '{{"value": "{}"}}',
            "value: {}  # rotated yesterday",
            "run --option {} --verbose",
            "https://api.example.test/x?value={}&page=2",
            "const value = '{}';",
            "| name | `{}` |",
            "({})",
            "<value>{}</value>",
        ),
    )
    return f"{prose(chance)} {frame.format(secret)} {prose(chance)}"


def _hard(secret: str, chance: Random) -> str:
    frame = chance.choice((_twice_escaped, _unicode_escaped, _after_newline, _coloured, _percent, _numbered, _in_diff, _whole_at_end))
    return frame(secret, chance)


def _twice_escaped(secret: str, chance: Random) -> str:
    return json.dumps({"line": json.dumps({"text": f'{prose(chance)} "{secret}"'})})


def _unicode_escaped(secret: str, chance: Random) -> str:
    return prose(chance) + ' "' + secret.replace("-", "\\u002d").replace("_", "\\u005f") + '"'


def _after_newline(secret: str, chance: Random) -> str:
    return prose(chance) + "\\n" + secret + "\\n" + prose(chance)


def _coloured(secret: str, chance: Random) -> str:
    return f"\x1b[{chance.randrange(30, 38)}m{secret}\x1b[0m {prose(chance)}"


def _percent(secret: str, chance: Random) -> str:
    return f"https://host.example.test/?value%3D{secret}%26page%3D{chance.randrange(9)}"


def _numbered(secret: str, chance: Random) -> str:
    return "\n".join(f"{number:6}→{line}" for number, line in enumerate((prose(chance), secret, prose(chance)), chance.randrange(1, 900)))


def _in_diff(secret: str, chance: Random) -> str:
    return f"@@ -1,2 +1,2 @@\n-{prose(chance)}\n+{secret}\n {prose(chance)}"


def _whole_at_end(secret: str, chance: Random) -> str:
    return f"{prose(chance)}: {secret}"


def _uuid(chance: Random) -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))


def _some(chance: Random, alphabet: str, count: int) -> str:
    return "".join(chance.choices(alphabet, k=count))


def ordinary_line(chance: Random) -> str:
    """A line of text that holds no secret but much that looks like one: ids, digests, images, paths, code, locks."""
    hexes, alnum = hexdigits[:16], ascii_letters + digits
    made = (
        f'{{"uuid":"{_uuid(chance)}","parentUuid":"{_uuid(chance)}","sessionId":"{_uuid(chance)}","requestId":"req_{_some(chance, hexes, 24)}"}}',
        f'{{"type":"tool_use","id":"toolu_{_some(chance, alnum, 24)}","name":"Bash","input":{{"command":"git show {_some(chance, hexes, 40)}"}}}}',
        f'{{"id":"msg_{_some(chance, alnum, 24)}","usage":{{"input_tokens":{chance.randrange(99999)},"output_tokens":{chance.randrange(9999)}}}}}',
        f"agentId: a{_some(chance, hexes, 16)} (internal ID) in wf_{_some(chance, hexes, 8)}-{_some(chance, hexes, 3)}, shell b{_some(chance, hexes, 8)}",
        f"/home/user/.claude/projects/-home-dev-shop/{_uuid(chance)}/subagents/agent-a{_some(chance, hexes, 16)}.jsonl",
        f"/private/tmp/claude-501/-home-dev-shop/{_uuid(chance)}/tasks/b{_some(chance, ascii_letters.lower(), 8)}.output",
        f'"integrity": "sha512-{base64.b64encode(chance.randbytes(64)).decode()}",',
        f"pypi: idna-3.{chance.randrange(20)}.tar.gz --hash=sha256:{_some(chance, hexes, 64)}",
        f"image@sha256:{_some(chance, hexes, 64)} pulled; commit {_some(chance, hexes, 40)} ({_some(chance, hexes, 8)})",
        f'{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo{base64.b64encode(chance.randbytes(900)).decode()}"}}}}',
        f"data:image/jpeg;base64,/9j/{base64.b64encode(chance.randbytes(600)).decode()}",
        "token = os.environ.get('GITHUB_TOKEN') or config.get_token(user, scopes=['repo'])",
        "    password: str = Field(default=..., min_length=8, description='The password of the user')",
        "const apiKey = process.env.API_KEY ?? settings.apiKey; headers['Authorization'] = `Bearer ${apiKey}`;",
        "if (!secret) throw new Error('missing client_secret in the request body');",
        "env: { NPM_TOKEN: ${{ secrets.NPM_TOKEN }}, GH_TOKEN: ${{ github.token }} }",
        "npm_config_registry=https://npm.example.com/ npm_lifecycle_event=test npm_package_version=1.2.3",
        f"curl -sS -H 'Authorization: Bearer $TOKEN' https://api.example.test/v1/items/{_uuid(chance)}",
        f"\x1b[32m✓\x1b[0m tests/test_token.py::test_refresh_token_{chance.randrange(99)} PASSED [ {chance.randrange(99)}%]",
        f"at parseToken (/srv/app/node_modules/acorn/dist/acorn.js:{chance.randrange(4000)}:{chance.randrange(90)})",
        f"postgres://user:password@localhost:5432/shop and http://localhost:{chance.randrange(1024, 9999)}/health",
        prose(chance, 24),
        prose(chance, 40) + " " + str(chance.randrange(10**9)),
    )
    return chance.choice(made)


def ordinary_text(seed: int, chars: int) -> str:
    """At least so many characters of ordinary lines."""
    chance = Random(seed)
    lines: list[str] = []
    length = 0
    while length < chars:
        lines.append(ordinary_line(chance))
        length += len(lines[-1]) + 1
    return "\n".join(lines)
