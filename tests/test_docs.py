"""Holds the documents to what is true, and the whole tree to what may not stand in it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import resume_forensics
from resume_forensics.cli import corpus_stats
from resume_forensics.cli.scan import app

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "LIMITS.md", "CONTRIBUTING.md", "CHANGELOG.md")
SKIPPED = {".git", ".venv", "__pycache__", "build", "dist", ".hypothesis"}

FORBIDDEN = {
    "a folder of one machine": re.compile(r"/work/(?:main|shared|\.library)|/root/\w|/opt/pypi|bash_jobs"),
    "the address of a package index": re.compile(
        r"pypi\.(?:org|python)|registry\.npmjs|files\.pythonhosted|--(?:extra-)?index-url|--find-links"
    ),
    "a merge conflict": re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE),
}
"""What no file may hold, by name."""

MAY_SPELL_THEM = {"tests/test_docs.py"}


def tracked_files() -> list[Path]:
    """The text files of the project: those git would keep, else (no git, no clone) all that are no by-product."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    names = listed.stdout.split("\0") if listed.returncode == 0 else [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    files = [ROOT / name for name in names if name and not SKIPPED & set(Path(name).parts)]
    return sorted(path for path in files if path.is_file() and not path.is_symlink())


FILES = tracked_files()


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def help_of(*command: str) -> str:
    answer = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "160", "NO_COLOR": "1"})
    assert answer.exit_code == 0
    return answer.output


def commands() -> set[str]:
    """The sub-commands of `resume-scan`."""
    return set(re.findall(r"^  ([a-z]+)\s", help_of().split("Commands:")[1], re.MULTILINE))


def commands_named(document: str) -> set[str]:
    """The sub-commands of `resume-scan` that a document names."""
    return set(re.findall(r"resume-scan ([a-z]+)\b", document))


def test_readme_names_only_commands_that_exist() -> None:
    assert {"prompt", "mask", "reconcile", "discover", "skeleton", "demo"} <= commands_named(read("README.md")) <= commands()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_name_only_options_that_exist(document: str) -> None:
    sweep = CliRunner().invoke(corpus_stats.app, ["--help"], env={"COLUMNS": "160", "NO_COLOR": "1"}).output
    texts = (help_of(), sweep, *map(help_of, commands()))
    known = {option for text in texts for option in re.findall(r"--[a-z][a-z-]+", text)}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", read(document))) - known == set()


@pytest.mark.parametrize("script", sorted(set(re.findall(r"scripts/[\w.]+", "".join(read(name) for name in DOCUMENTS)))))
def test_documents_name_only_scripts_that_exist(script: str) -> None:
    assert (ROOT / script.rstrip(".")).is_file()


@pytest.mark.parametrize("document", [*DOCUMENTS, "docs/decisions"])
def test_links_lead_somewhere(document: str) -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / document).glob("*.md")] if document == "docs/decisions" else [read(document)]
    targets = [target for text in texts for target in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in target]
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_readme_uses_the_face_as_it_is() -> None:
    used = set(re.findall(r"resume_forensics\.(\w+)", read("README.md")))
    assert used
    assert used <= set(resume_forensics.__all__)


def test_readme_shows_the_output_of_the_demo() -> None:
    shown = read("README.md").split("<!-- demo:begin -->")[1].split("<!-- demo:end -->")[0]
    assert len(shown.splitlines()) > 20
    checked = subprocess.run([sys.executable, "scripts/write_documents.py", "--check", "demo"], cwd=ROOT, capture_output=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, b"")


def test_contributing_fits_a_screen() -> None:
    assert len(read("CONTRIBUTING.md").splitlines()) <= 60


def test_the_tree_is_looked_at_whole() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in FILES}
    assert {"README.md", "resume_forensics/text.py", ".ci/run", "scripts/dev.lock", "tests/test_docs.py"} <= names


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what: str) -> None:
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8", errors="replace") for path in FILES}
    assert [name for name, text in texts.items() if name not in MAY_SPELL_THEM and FORBIDDEN[what].search(text)] == []


def test_no_file_holds_a_secret_shape() -> None:
    placeholder = re.compile(r"\[REDACTED:[^\]]*\]")
    for path in FILES:
        text = path.read_text("utf-8", errors="replace")
        found = set(placeholder.findall(resume_forensics.mask(text))) - set(placeholder.findall(text))
        assert found == set(), f"{path.relative_to(ROOT)} holds what looks like a secret: build it from parts"
