"""The folder of a study: study.json, parts while it runs, at last runs.parquet and rounds.parquet.

A part holds the rows of some tasks whole, their rounds within them, in the plan's order. It is written under another
name and renamed, so whenever the study is killed, what the parts hold is the beginning of the plan, each task once.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from specviz.config.settings import ConfigError, Kind, Setting
from specviz.lab.study.plan import KEPT, Build
from specviz.trace.codec import read, to_json

RUNS, ROUNDS, STUDY, PARTS = "runs.parquet", "rounds.parquet", "study.json", "parts"
_TEXT, _WHOLE, _NUMBER, _FLAG = pa.string(), pa.int32(), pa.float64(), pa.bool_()
MILLISECONDS = ("draft_ms", "verify_ms", "accept_ms", "trim_ms", "overhead_ms")
VERSIONS = ("specviz", "python", "numpy", "numba", "torch", "transformers")
STEP = pa.schema([
    *((name, _WHOLE) for name in ("round", "position", "budget", "drafted", "depth", "tested", "accepted", "emitted")),
    ("emission", _TEXT),
    ("halted", _FLAG),
    *((name, _WHOLE) for name in ("cache_before", "cache_written", "cache_kept", "target_passes", "draft_passes")),
    *((name, _NUMBER) for name in MILLISECONDS),
    ("chances", pa.list_(_NUMBER)),
])  # fmt: skip
_LABELS = [
    ("run", pa.int64()),
    ("config_hash", _TEXT),
    ("turn", _WHOLE),
]
_WHERE = [(name, _TEXT) for name in (*VERSIONS, "machine")]


def columns(settings: Sequence[Setting]) -> list[tuple[str, pa.DataType]]:
    """The columns of these settings."""
    types = {Kind.FLAG: _FLAG, Kind.WHOLE: pa.int64(), Kind.NUMBER: _NUMBER}
    return [(setting.name, types.get(setting.kind, _TEXT)) for setting in settings]


RUN = pa.schema([
    *_LABELS,
    *((name, _TEXT) for name in ("set", "set_hash", "question_id", "category", "method")),
    *columns(KEPT),
    ("prompt_tokens", _WHOLE),
    ("tokens", pa.list_(_WHOLE)),
    ("text", _TEXT),
    ("plain_text", _FLAG),
    ("lossless", _FLAG),
    ("stop", _TEXT),
    ("error", _TEXT),
    *((name, _WHOLE) for name in ("rounds", "drafted", "tested", "accepted", "emitted", "resampled", "bonus")),
    *((name, _WHOLE) for name in ("rolled_back", "target_passes", "draft_passes")),
    ("prefill_ms", _NUMBER),
    *((name, _NUMBER) for name in MILLISECONDS),
    *_WHERE,
    ("recorded", _TEXT),
])  # fmt: skip
ROUND = pa.schema([*_LABELS, *STEP, *_WHERE])
PART = RUN.append(pa.field("steps", pa.list_(pa.struct(list(STEP)))))


def known(folder: Path) -> tuple[Mapping[str, Any], Build] | None:
    """The plan and the build in study.json; None if the folder is empty or not there.

    Raises:
        ConfigError: the folder holds something else.
    """
    path = folder / STUDY
    if not path.exists():
        if folder.exists() and any(not each.name.startswith(".") for each in folder.iterdir()):
            raise ConfigError(f"{folder} holds other things than a study; wanted a new folder")
        return None
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        return dict(saved["plan"]), read(Build, saved["build"], "build")
    except (ValueError, KeyError, TypeError):
        raise ConfigError(f"{path} is no study's") from None


def begin(folder: Path, plan: Mapping[str, object], build: Build) -> None:
    """Writes study.json."""
    with _replacing(folder / STUDY) as path:
        path.write_text(to_json({"plan": plan, "build": build}), encoding="utf-8")


def finished(folder: Path) -> bool:
    """True if the two tables are whole."""
    return (folder / RUNS).exists()


def keys(folder: Path) -> Iterator[str]:
    """The config hashes of the tasks that are kept, in order."""
    for part in _parts(folder):
        table = pq.read_table(part, columns=["config_hash", "turn"])
        yield from table.filter(pc.equal(table["turn"], 0))["config_hash"].to_pylist()


def keep(folder: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes the rows as one more part."""
    (folder / PARTS).mkdir(exist_ok=True)
    with _replacing(folder / PARTS / f"{rows[0]['run']:012}.parquet") as path:
        pq.write_table(pa.Table.from_pylist(list(rows), PART), path)


def merge(folder: Path) -> None:
    """Makes the two tables of all parts, which then go. However often it is broken off, it can be done again."""
    if not finished(folder):
        with (
            _replacing(folder / RUNS) as runs,  # renamed last, because it says that both are whole
            _replacing(folder / ROUNDS) as rounds,
            pq.ParquetWriter(runs, RUN, compression="zstd") as one,
            pq.ParquetWriter(rounds, ROUND, compression="zstd") as other,
        ):
            for part in _parts(folder):
                table = pq.read_table(part)
                one.write_table(table.drop_columns(["steps"]))
                other.write_table(_steps(table))
    if (folder / PARTS).exists():
        shutil.rmtree(folder / PARTS)


def runs(folder: Path, columns: Sequence[str]) -> pa.Table:
    """These columns of all runs that are kept so far."""
    paths = [folder / RUNS] if finished(folder) else _parts(folder)
    read = [pq.read_table(path, columns=list(columns)) for path in paths]
    return pa.concat_tables(read) if read else RUN.empty_table().select(list(columns))


def rounds(folder: Path, columns: Sequence[str]) -> pa.Table:
    """These columns of all rounds of a finished study."""
    return pq.read_table(folder / ROUNDS, columns=list(columns))


def write_csv(folder: Path) -> tuple[Path, ...]:
    """The two tables again, as CSV; lists with spaces between their values.

    Raises:
        ConfigError: the study is not finished.
    """
    if not finished(folder):
        raise ConfigError(f"the study in {folder} is not finished; go on with it, then ask for CSV")
    return tuple(_as_csv(folder / name) for name in (RUNS, ROUNDS))


def _as_csv(path: Path) -> Path:
    source = pq.ParquetFile(path)
    lists = [field.name for field in source.schema_arrow if pa.types.is_list(field.type)]
    schema = pa.schema([field.with_type(_TEXT) if field.name in lists else field for field in source.schema_arrow])
    with _replacing(path.with_suffix(".csv")) as made, pyarrow.csv.CSVWriter(made, schema) as writer:
        for batch in source.iter_batches():
            table = pa.Table.from_batches([batch])
            for name in lists:
                at = table.column_names.index(name)
                joined = [None if each is None else " ".join(map(str, each)) for each in table[name].to_pylist()]
                table = table.set_column(at, schema.field(at), pa.array(joined, _TEXT))
            writer.write_table(table)
    return path.with_suffix(".csv")


def _parts(folder: Path) -> list[Path]:
    return sorted((folder / PARTS).glob("*.parquet"))


def _steps(table: pa.Table) -> pa.Table:
    """The rounds of a part's runs, with what says whose they are."""
    steps = table["steps"].combine_chunks()
    whose = table.take(pc.list_parent_indices(steps))
    values = dict(zip(STEP.names, pc.list_flatten(steps).flatten(), strict=True))
    return pa.table({name: values[name] if name in values else whose[name] for name in ROUND.names}, ROUND)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Another name to write under, which is renamed when all of it is on the disk."""
    made = path.with_name(f".{path.name}.new")
    yield made
    with made.open("rb") as file:
        os.fsync(file.fileno())
    made.replace(path)
