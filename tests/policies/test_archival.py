from __future__ import annotations

import math

from memory_lib.policies.archival import Archive, Keep, archival
from memory_lib.settings import Settings

PARAMS = Settings.model_fields["decay"].default


def test_below_the_threshold_a_node_is_archived_with_the_reason():
    assert archival(math.nextafter(0.05, 0.0), pinned=False, params=PARAMS) == Archive("faded")


def test_at_the_threshold_it_stays():
    assert archival(0.05, pinned=False, params=PARAMS) == Keep("heavy_enough")


def test_a_pinned_node_stays_whatever_it_weighs():
    assert archival(0.0, pinned=True, params=PARAMS) == Keep("pinned")
