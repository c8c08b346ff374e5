"""A worker that is killed during an import loses nothing and does nothing twice; `kill_import` plays it at length."""

import random

import pytest

from tests.records.kill_import import differences, dump, killed, undisturbed, write_folder

FILES, KILLS = 40, 4


@pytest.mark.parametrize("seed", [11])
def test_an_import_whose_worker_is_killed_ends_as_an_undisturbed_one(transactional_db, valkey, tmp_path, seed):
    write_folder(tmp_path, FILES)
    whole = undisturbed(tmp_path)
    assert (len(whole["records"]), len(whole["placements"])) == (FILES, 2 * FILES)
    assert dump()["records"] == []
    found = killed(tmp_path, KILLS, random.Random(seed), hurry=True)
    assert differences(whole, found) == []
