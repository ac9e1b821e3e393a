"""Every row of the mask's table: what it must catch, what it must spare, and that it holds together."""

# ruff: noqa: S311 (seeds decide all, nothing is guarded)

import re
from random import Random

import pytest

from resume_forensics.mask.engine import Masker, Nominator, Work, find_spans, mask_text
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rule import Rule
from resume_forensics.mask.rules import KINDS, RULES

SEEDS = range(4)


def shows(masked: str, body: str) -> bool:
    size = min(8, len(body))
    return len(body) >= 4 and any(body[at : at + size] in masked for at in range(len(body) - size + 1))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.kind}-{rule.keywords[0].strip()}")
def test_a_row_catches_its_samples_by_itself_and_spares_its_near_misses(rule: Rule) -> None:
    ready = Nominator((rule,))
    for recipe in rule.catch:
        for seed in SEEDS:
            sample = write_sample(recipe, Random(seed))
            assert find_spans(sample.text, ready, Work()), recipe
            masked = mask_text(sample.text)
            assert not any(shows(masked, body) for body in sample.bodies), recipe
            assert "[REDACTED:" in masked
    for recipe in rule.spare:
        text = write_sample(recipe, Random(7)).text
        assert mask_text(text) == text, recipe


def test_every_row_carries_its_proof() -> None:
    for rule in RULES:
        assert rule.catch, rule.kind
        assert rule.spare, rule.kind
        assert rule.seen, rule.kind
        assert rule.keywords, rule.kind
        assert all(word == word.lower() and word for word in rule.keywords), rule.kind


def test_no_pattern_of_the_standard_library_repeats_a_group_possessively() -> None:
    """Python before 3.11.5 matches `(?:ab?c){0,3}+` wrongly (CPython issue 106052); `(?>(?:ab?c){0,3})` says the same."""
    possessive = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
    assert possessive.search("(?:ab?c){0,3}+")
    for rule in RULES:
        if not rule.by_regex:
            written = [rule.forward.pattern, rule.tail]
            assert not any(possessive.search(re.sub(r"\\.", "a", pattern)) for pattern in written), rule.kind


def test_there_are_at_least_150_kinds_and_their_names_fit_a_placeholder() -> None:
    assert len(KINDS) >= 150
    for kind in KINDS:
        assert kind.replace("-", "").isalnum(), kind
        assert kind == kind.lower(), kind


def test_the_kinds_that_were_masked_first_keep_their_names() -> None:
    first = {
        "anthropic-key", "openai-key", "github-token", "github-pat", "gitlab-token", "npm-token", "aws-key", "slack-token",
        "google-key", "auth-header", "bearer", "pem",
    }  # fmt: skip
    assert first <= set(KINDS)


NEVER = (
    "agentId: a1b2c3d4e5f6a7b8c",
    "shell bhog9atlf in wf_1c2d3e4f-5a6",
    "39a5ad76-3d1f-4471-a386-9929a3fa47bd",
    "commit 5f1d7a4b9c3e2d1f0a6b8c7d9e0f1a2b3c4d5e6f",
    "toolu_<w:24> srvtoolu_<w:24> msg_<w:24> req_<w:24> call_<w:24> chatcmpl-<w:29>",
    '{"token": "<uuid>", "secret": "<uuid>", "api_key": "<uuid>"}',
    "session_<w:24> session token: session_<w:24>",
    "/home/user/.claude/projects/-home-dev-shop/<uuid>.jsonl",
    "/home/user/.claude/projects/-home-dev-shop/<uuid>/subagents/agent-a<h:16>.jsonl",
    r"C:\Users\dev\.claude\projects\C--dev-shop\<uuid>.jsonl",
    "data:image/png;base64,iVBORw0KGgo<s:4000>",
    '"integrity": "sha512-<s:86>=="',
    "--hash=sha256:<h:64>",
    "image@sha256:<h:64>",
    "ETag: <h:32>, checksum: <h:64>, md5 <h:32>",
    "token = os.environ['GITHUB_TOKEN']",
    "password = getpass.getpass('Password: ')",
    "def login(user: str, password: str = '') -> Token:",
    "Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}",
    "export GITHUB_TOKEN=$(gh auth token)",
    "AWS_SECRET_ACCESS_KEY=<your secret access key>",
    "PASSWORD=********",
    "input_tokens: 12345678, max_tokens=4096, tokenizer: cl100k_base",
    "postgres://user:password@localhost/db",
    "resume-scan --session /work/x/<uuid>.jsonl",
)


@pytest.mark.parametrize("recipe", NEVER)
def test_what_opens_nothing_is_never_masked(recipe: str) -> None:
    for seed in SEEDS:
        text = write_sample(recipe, Random(seed)).text
        assert mask_text(text) == text


OTHERS = (
    'export DB_PASS="<w:14>"',
    "DATABASE_URL=postgresql://app:<w:18>@10.0.0.5:5432/prod?sslmode=require",
    "mongodb+srv://admin:<w:14>@cluster0.abcde.mongodb.net/test",
    r"{\"password\":\"<w:14>\"}",
    r"{\\\"client_secret\\\": \\\"<w:32>\\\"}",
    "define( 'AUTH_KEY', '<w:48>' );",
    '<add key="ApiKey" value="<w:32>" />',
    "- name: API_TOKEN\n  value: <w:40>",
    '{"name":"API_TOKEN","value":"<w:40>"}',
    'os.environ["SERVICE_API_KEY"] = "<w:40>"',
    "const token: string = '<w:40>';",
    'String password = "<w:14>";',
    "$env:API_TOKEN = '<w:32>'",
    "kubectl create secret generic x --from-literal=password=<w:14>",
    "?access_token=<w:40>&x=1",
    "**Password:** `<w:14>`",
    "| password | <w:14> |",
    "password%3D<w:14>",
    "%22password%22%3A%22<w:14>%22",
    "&quot;password&quot;:&quot;<w:14>&quot;",
    r"\u0022password\u0022:\u0022<w:14>\u0022",
    "curl -H 'X-Api-Key: <w:32>' https://x.test",
    "https://api.telegram.org/bot<d:10>:AA<u:33>/sendMessage",
    "Endpoint=sb://n.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=<s:43>=",
    "jdbc:postgresql://h/db?user=a&password=<w:14>",
    "sshpass -p '<w:12>' ssh root@host",
)  # fmt: skip


@pytest.mark.parametrize("recipe", OTHERS)
def test_spellings_that_others_use_are_masked(recipe: str) -> None:
    for seed in SEEDS:
        sample = write_sample(recipe, Random(seed))
        masked = mask_text(f"see {sample.text}\nand go on")
        assert not any(shows(masked, body) for body in sample.bodies)
        assert masked.startswith("see ")
        assert masked.endswith("and go on")


def test_a_value_named_twice_gives_one_number_whatever_names_it() -> None:
    value = write_sample("<w:40>", Random(3)).text
    masker = Masker()
    spans = masker.find(f"API_TOKEN={value}\nother_secret: {value}\n")
    assert [kind for _, kind in spans] == ["token", "secret"]
