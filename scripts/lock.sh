#!/bin/sh
# Writes requirements/run.txt and requirements/dev.txt from pyproject.toml: scripts/lock.sh [--upgrade]
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

compile dev --all-extras --group dev "$@"
# run is a part of dev: same versions, whatever was locked before
compile run --extra flows --group build --constraint requirements/dev.txt --upgrade
# where a constraint came from is no news to a reader of the lock
sed -i.bak -e '/#   -c requirements\/dev.txt$/d' -e '/# via -c requirements\/dev.txt$/d' requirements/run.txt
rm -f requirements/run.txt.bak
