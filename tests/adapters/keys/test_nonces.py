from __future__ import annotations

from collections import Counter

import pytest

from memory_lib.adapters.keys.person_files import PersonKeyFiles
from memory_lib.adapters.sql.people import new_user_id
from tests.adapters.keys.workers import keyring_of, seal_in_two_halves, start

PROCESSES = 8
SEALS = 8_334
"""In two halves; the second one is done on both sides of a fork: 100,008 in all, by 16 processes."""


@pytest.mark.slow
def test_no_nonce_comes_twice_from_sixteen_processes_forks_and_two_generations(tmp_path):
    keyring, user = keyring_of(tmp_path), new_user_id()
    keyring.create(user)
    running = [start(seal_in_two_halves, tmp_path, user, SEALS) for _ in range(PROCESSES)]
    for _, pipe in running:
        assert pipe.recv() == "half"
    assert keyring.begin(user) == 2
    for _, pipe in running:
        pipe.send("go")
    pairs = [pair for _, pipe in running for _half in range(2) for pair in pipe.recv()]
    assert len(pairs) == PROCESSES * 3 * (SEALS // 2) >= 100_000
    assert len(set(pairs)) == len(pairs)
    assert len({pair[4:] for pair in pairs}) == len(pairs)
    sealed = Counter(int.from_bytes(pair[:4], "big") for pair in pairs)
    assert sealed == {1: PROCESSES * (SEALS // 2), 2: 2 * PROCESSES * (SEALS // 2)}
    # every seal was booked before it happened, on the key that made it
    files = PersonKeyFiles(tmp_path / "keys" / "people")
    for generation, seals in sealed.items():
        booked = int.from_bytes(files.read(user, generation).count_field[:8], "big")
        assert seals <= booked < seals + 2 * PROCESSES * 256
