# Sourced by scripts/scan and scripts/test: sets `root` to the checkout and makes sure of `.venv` with the extra in $1.
# POSIX sh. The interpreter is $PYTHON if that is set, else the first on the PATH that is new enough.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 2

new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
  if [ -n "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- python3 python3.14 python3.13 python3.12 python3.11 python; fi
  for name; do
    if new_enough "$name"; then
      echo "$name"
      return
    fi
  done
  echo "set-up: Python 3.11 or newer is needed, and $1 is not that; set PYTHON to one that is" >&2
  return 2
}

prepare() {
  python=$(find_python) || exit 2
  "$python" "$root/scripts/prepare.py" "$@" || exit 2
}
