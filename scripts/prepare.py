"""Makes `.venv` in the checkout and installs the project into it, if that is not done or its declaration changed since.

`scripts/scan` and `scripts/test` call it with the extra they need. Only the standard library; quiet where nothing is to do;
progress and the one sentence of a failure go to standard error.
"""

import fcntl
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "scripts" / "dev.lock"


def main(extra: str) -> None:
    """Prepare for running (`extra` is empty) or for developing (`dev`)."""
    with alone():
        wanted = declaration()
        if works() and any(stamp(each).is_file() and stamp(each).read_text() == wanted for each in {extra, "dev"}):
            return
        make_venv()
        install(extra)
        stamp(extra).write_text(wanted)


@contextmanager
def alone() -> Iterator[None]:
    """Hold a lock beside the folder while it is looked at and changed; the kernel drops it if this process dies."""
    with (ROOT / ".venv.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another run that is setting up .venv ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def declaration() -> str:
    """Everything an installed `.venv` depends on, as one digest: what is declared, where it stands, which Python made it."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    parts = [declared.get("build-system"), declared.get("project"), LOCK.read_text("utf-8"), str(ROOT), sys.version]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def stamp(extra: str) -> Path:
    """The file that says for which declaration this extra was installed."""
    return VENV / f"installed-{extra or 'base'}"


def works() -> bool:
    """Whether the Python that `.venv` links to is still there."""
    return (VENV / "bin" / "python").exists()


def make_venv() -> None:
    """Make `.venv` afresh, unless it works and this Python made it."""
    if works() and made_by_this_python():
        return
    say(f"making .venv with Python {sys.version.split()[0]} ...")
    shutil.rmtree(VENV, ignore_errors=True)
    done = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
    if done.returncode:
        fail("this Python cannot make a virtual environment; install its venv module (Debian and Ubuntu: apt install python3-venv)")


def made_by_this_python() -> bool:
    """Whether `.venv` runs the same version of Python as this."""
    asked = [str(VENV / "bin" / "python"), "-c", "import sys; print(sys.version)"]
    answer: str = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return answer.strip() == sys.version


def install(extra: str) -> None:
    """Install the project from the checkout; what is developed with is held to the versions of the lock file."""
    say(f"installing resume-forensics{f'[{extra}]' if extra else ''} into .venv ...")
    held = ["--constraint", str(LOCK)] if extra else []
    wish = f"{ROOT}[{extra}]" if extra else str(ROOT)
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", *quiet, *held, "--editable", wish]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        fail("pip could not install the project; what it said stands above (is the network there?)")


def say(words: str) -> None:
    """Report progress."""
    sys.stderr.write(f"set-up: {words}\n")


def fail(sentence: str) -> None:
    """End with one clear sentence, exit status 2."""
    say(sentence)
    raise SystemExit(2)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
