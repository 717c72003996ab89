"""The library that `retrieval` copies from: matches as by looking everywhere, works by name, files checked."""

from pathlib import Path

import numpy as np
import pytest

from specviz import draft
from specviz.config.settings import Budget, ConfigError, resolve_params
from specviz.config.words import tell
from specviz.draft.base import Resources
from specviz.models import datastore
from specviz.models.datastore import LONGEST, SHORTEST, Datastore, joined, load
from specviz.models.tokenizer import Tokenizer
from specviz.sampling.chance import Seeded
from specviz.shipped import ASSETS
from specviz.train.corpus import read_genres
from specviz.train.datastore import build
from tests.tiny import TableModel, parts

SAMPLING = parts(TableModel(2, 0), draft=TableModel(2, 0)).sampling


def looked_for(store: Datastore, text: list[int]) -> tuple[int, set[int]]:
    """The longest match and its places, by trying every place."""
    tokens = store.tokens.tolist()
    for length in range(min(LONGEST, len(text)), SHORTEST - 1, -1):
        places = {at for at in range(length, len(tokens)) if tokens[at - length : at] == text[-length:]}
        if places:
            return length, places
    return 0, set()


def test_a_match_is_the_longest_there_is_and_all_of_its_places() -> None:
    random = np.random.default_rng(5)
    for size in (2, 3, 40):
        works = [(f"work {n}", random.integers(0, size, 60).tolist()) for n in range(4)]
        store = joined(works)
        for _ in range(60):
            text = random.integers(0, size, random.integers(0, 30)).tolist()
            if random.random() < 0.5:
                at = int(random.integers(0, 40))
                text += works[0][1][at : at + int(random.integers(2, 20))]
            match = store.match(text)
            assert (match.length, set(match.places.tolist())) == looked_for(store, text)


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    for largest in (9, 70_000):
        store = joined([("a", [1, 2, largest]), ("b", [3, 1, 2]), ("c", [4])])
        store.save(tmp_path / f"{largest}.npz")
        again = load(tmp_path / f"{largest}.npz", largest + 1)
        assert again.tokens.tolist() == store.tokens.tolist()
        assert [again.work(place) for place in (0, 2, 3, 4, 6, 8)] == ["a", "a", "a", "b", "b", "c"]
        with pytest.raises(ConfigError, match=f"token {largest:,}, but the target knows {largest:,}"):
            load(tmp_path / f"{largest}.npz", largest)


def test_a_file_that_is_no_datastore_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "none.npz", 9)
    (tmp_path / "text.npz").write_text("once upon a time")
    joined([("a", [1, 2, 3] * 99)]).save(tmp_path / "whole.npz")
    (tmp_path / "half.npz").write_bytes((tmp_path / "whole.npz").read_bytes()[:300])
    np.savez(tmp_path / "other.npz", ids=np.array([1, 2], np.uint16), lengths=np.array([3]), works=np.array(["a"]))
    np.savez(tmp_path / "signed.npz", ids=np.array([-1, 2]), lengths=np.array([2]), works=np.array(["a"]))
    for name in ("text", "half", "other", "signed"):
        with pytest.raises(ConfigError, match="is no datastore") as found:
            load(tmp_path / f"{name}.npz", 9)
        assert "\n" not in str(found.value)


def test_it_guesses_what_followed_most_often_and_says_where(tmp_path: Path) -> None:
    works = [("Grimm", [1, 2, 3, 4, 9, 1, 2, 3, 5]), ("Lang", [1, 2, 3, 4, 8, 1, 2, 6])]
    joined(works).save(tmp_path / "own.npz")
    spec = draft.load("retrieval")
    settings = resolve_params(spec.entry, {"datastore": str(tmp_path / "own.npz"), "nodes": 4})
    drafter = spec.build(Resources(SAMPLING, 10, 99, decode=lambda ids: " ".join(map(str, ids))), settings)
    drafter.begin([7, 1, 2])
    proposal = drafter.propose(Budget(4, 3, ""), Seeded(0))
    assert list(zip(proposal.tree.tokens, proposal.tree.parents, strict=True)) == [(3, -1), (4, 0), (6, -1), (5, 0)]
    assert [guess.source.rank for guess in proposal.guesses] == [0, 0, 1, 1]
    assert tell(proposal.guesses[0].source.words) == "3 of 4 places continue this way, as in Grimm: “1 2 3”"
    assert tell(proposal.guesses[2].source.words) == "1 of 4 places continue this way, as in Lang: “1 2 3 4 8 1 2 6”"
    drafter.begin([2])
    assert drafter.propose(Budget(4, 3, ""), Seeded(0)).guesses == (), "one token is no match"


def test_held_out_text_is_no_part_of_a_library_and_every_work_is(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("".join(f"Line {n} of the long one.\n" for n in range(900)), encoding="utf-8")
    (tmp_path / "short.txt").write_text("".join(f"Verse {n}.\n" for n in range(120)), encoding="utf-8")
    (tmp_path / "long.works.tsv").write_text("0\tFirst\n9000\tSecond\n", encoding="utf-8")
    tokenizer, genres = Tokenizer.load(ASSETS / "pair" / "target"), read_genres(tmp_path)
    whole = build(tokenizer, tmp_path, genres)
    assert set(whole.works) == {"First", "Second", "short"}
    text = tokenizer.decode([token for token in whole.tokens.tolist() if token != Datastore.END])
    assert all(piece in text for genre in genres for piece in genre.train)
    assert not any(piece in text for genre in genres for piece in genre.held_out)
    short = len(tokenizer.encode("".join(genres[1].train)))
    part = build(tokenizer, tmp_path, genres, most=4 * short)
    assert set(part.works) == set(whole.works)
    assert 3.5 * short < len(part.tokens) <= 4 * short + len(part.works)
    (tmp_path / "long.works.tsv").write_text("First", encoding="utf-8")
    with pytest.raises(ValueError, match="a number, a tab and a title"):
        build(tokenizer, tmp_path, genres)


def test_the_shipped_library_is_small_and_names_its_works() -> None:
    path = ASSETS / "pair" / "datastore.npz"
    assert path.stat().st_size < 5_000_000
    store = datastore.load(path, 4096)
    assert len(store.tokens) > 1_000_000
    assert {"Grimm, Household Tales", "Shakespeare, plays"} < set(store.works)
