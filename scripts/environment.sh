#!/bin/sh
# Makes an environment match a lock: scripts/environment.sh run|dev|bge
#
# run = what the product needs, dev = that and the tools of `make check` and `make test`, both in .venv; bge = the extra of that name
# and its tests, gigabytes, in .venv-bge. Nothing is done when the environment already matches. Every package comes from the lock with its hash and as a wheel; uv installs, itself from the lock, and pip
# takes over where uv can't reach the registry.
set -eu
kind=${1:?which lock: run, dev or bge}
cd "$(dirname "$0")/.."
lock=requirements/$kind.txt
venv=.venv
if [ "$kind" = bge ]; then venv=.venv-bge; fi
state=$venv/.installed

fresh() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

stamp() { # a line that changes with the lock, the project's own metadata and the place of the clone
  printf '%s %s %s\n' "$1" "$(cat "requirements/$1.txt" pyproject.toml scripts/environment.sh | cksum | tr ' ' '-')" "$PWD"
}

if [ -f "$state" ] && [ -x "$venv/bin/python" ] && fresh "$venv/bin/python" && stamp "$kind" | grep -qxFf - "$state"; then
  exit 0
fi

python=
for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11; do
  if fresh "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
  echo "error: ${PYTHON:-python3} is missing or older than Python 3.11; install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3.12 ..." >&2
  exit 2
fi

started=$(date +%s)
echo "environment: installing $(grep -c '^[a-zA-Z0-9]' "$lock") packages of $lock into $venv; the first time downloads them" >&2

# A clone that was moved has the old path in its scripts, so its environment is made anew.
made_here() { sed 's/^[a-z]* [^ ]* //' "$state" 2>/dev/null | grep -qxF "$PWD"; }
if [ -d "$venv" ] && ! { made_here && fresh "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }; then
  rm -rf "$venv"
fi
if [ ! -d "$venv" ] && ! "$python" -m venv "$venv"; then
  rm -rf "$venv"
  echo "error: $python cannot make an environment; install its venv module (on Debian: apt-get install python3-venv) and run again" >&2
  exit 2
fi
rm -f "$state"
py=$venv/bin/python

from_pip() {
  "$py" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes --no-deps --only-binary :all: -r "$1"
}

# uv alone first: the lines of the lock from its own up to the end of its hashes
awk '/^uv==/ { on = 1 } on { print } on && !/\\$/ { exit }' "$lock" >"$venv/uv.txt"
from_pip "$venv/uv.txt"

# uv has settings of its own; where only pip was told of a mirror or a certificate, tell uv too
if [ -n "${PIP_INDEX_URL:-}" ]; then export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}"; fi
if [ -n "${PIP_CERT:-}" ]; then export SSL_CERT_FILE="${SSL_CERT_FILE:-$PIP_CERT}"; fi
export UV_PYTHON_DOWNLOADS=never

if ! "$venv/bin/uv" pip sync --quiet --python "$py" --require-hashes --only-binary :all: "$lock"; then
  echo "environment: uv could not install $lock (its words are above); trying pip" >&2
  from_pip "$lock"
fi
# hatchling is in the lock, so the project itself is built without a download
if ! "$venv/bin/uv" pip install --quiet --python "$py" --offline --no-deps --no-build-isolation --editable .; then
  "$py" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
fi

stamp "$kind" >"$state"
if [ "$kind" = dev ]; then stamp run >>"$state"; fi # dev holds all of run, at the same versions
echo "environment: ready after $(($(date +%s) - started)) s" >&2
