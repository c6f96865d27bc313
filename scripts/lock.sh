#!/bin/sh
# Writes requirements/run.txt, requirements/dev.txt and requirements/bge.txt from pyproject.toml: scripts/lock.sh [--upgrade]
#
# Pinned, hashed, for every platform and every Python the project runs on. No registry address is recorded (uv's
# default, kept by a test): whoever installs uses the registry they are set up for. Without --upgrade, versions already locked stay.
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-.venv/bin/uv}
mkdir -p requirements

compile() { # NAME, then options
  name=$1
  shift
  "$uv" pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
    --no-header --output-file "requirements/$name.txt" "$@"
}

known=$("${PYTHON:-.venv/bin/python}" -c 'import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"])')
extras= # all but bge, which has a lock of its own
for extra in $known; do
  if [ "$extra" != bge ]; then extras="$extras --extra $extra"; fi
done

# shellcheck disable=SC2086 # one word an option
compile dev $extras --group dev "$@"
# run is a part of dev: same versions, whatever was locked before
compile run --extra flows --group build --constraint requirements/dev.txt --upgrade
# bge shares versions with dev too, where it has the same packages
compile bge --extra bge --group bge-test --constraint requirements/dev.txt "$@"
# where a constraint came from is no news to a reader of the lock
for name in run bge; do
  sed -i.bak -e '/#   -c requirements\/dev.txt$/d' -e '/# via -c requirements\/dev.txt$/d' "requirements/$name.txt"
  rm -f "requirements/$name.txt.bak"
done
