"""The recorded answers that the lab's tabs open on.

assets/labs/questions.json holds the questions. A test checks that the page asks the same ones.
"""

import datetime as dt
import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from specviz.config.methods import CHAT_DRAFTERS, methods
from specviz.config.settings import ConfigError
from specviz.config.words import tell
from specviz.trace.info import RunInfo
from specviz.trace.run import Trace
from specviz.ui.answers import pairs
from specviz.ui.answers.measurements import Labs, jsonable
from specviz.ui.answers.proofs import Proofs
from specviz.ui.backend import Backend
from specviz.ui.runs.recording import Delta, Recording
from specviz.ui.runs.recordings import Recordings

QUESTIONS = "questions.json"
PROOF = "losslessness"
"""The lab whose questions go to Proofs; all others go to Labs. One that names a run is asked of that one."""
METHODS = {"methods": methods, "methods-chat": lambda *_: CHAT_DRAFTERS}
"""The labs whose questions are asked of each method: of all, and of those that suit the chat model."""


def shipped_labs(folder: Path) -> dict[str, str]:
    """The recorded answers in a folder as JSON, by lab."""
    return {
        path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json")) if path.name != QUESTIONS
    }


def record(
    backend: Backend, traces: Mapping[str, Trace], folder: Path, when: dt.datetime, labs_wanted: Sequence[str] = ()
) -> Iterator[Path]:
    """Asks every question, writes one file for each lab, and yields its path.

    Args:
        labs_wanted: the labs to ask; none means all.

    Raises:
        ConfigError, KeyError: no such lab, or a question cannot be answered. The files written before it stay.
    """
    content = json.loads((folder / QUESTIONS).read_text(encoding="utf-8"))
    if unknown := [lab for lab in labs_wanted if lab not in content["labs"]]:
        raise ConfigError(f"no lab {unknown[0]!r}; there are: {', '.join(content['labs'])}")
    chosen = {lab: questions for lab, questions in content["labs"].items() if lab in labs_wanted or not labs_wanted}
    runs = {each.get("run", content["run"]) for questions in chosen.values() for each in questions.values()}
    recordings = Recordings({name: Recording.of(name, traces[name]) for name in sorted(runs)})
    proofs, labs = Proofs(backend, recordings), Labs(backend, recordings)
    for lab, questions in chosen.items():
        run = next(iter(questions.values())).get("run", content["run"])
        if not pairs.offered(backend, pair := traces[run].info.config.pair).ready:
            deque(backend.ready(pair), 0)
        answers: dict[str, list[object]] = {}
        for name, question in _each(questions, backend, lab):
            answer = proofs.answer if lab == PROOF else labs.answer
            reports = _reports(answer({"run": run, **question, "ask": name}))
            lasting = [report for report in reports if _lasts(report)]
            if (other := question.get("run", run)) != run:
                lasting = [{**report, "config": jsonable(traces[other].info.config)} for report in lasting]
            answers.setdefault(name, []).extend(lasting[-1:] if question.get("job") == "machine" else lasting)
        path = folder / f"{lab}.json"
        about = _about(run, traces[run].info, _machine(labs, run), when)
        path.write_text(json.dumps({**about, "answers": answers}, ensure_ascii=False) + "\n", encoding="utf-8")
        yield path


def _about(run: str, info: RunInfo, machine: Mapping[str, Any], when: dt.datetime) -> dict[str, Any]:
    """What a record says of the run that was asked about, and of the machine."""
    return {
        "run": run,
        "config": jsonable(info.config),
        "machine": machine["machine"],
        "device": machine["device"],
        "threads": machine["threads"],
        "target": tell(info.target),
        "draft": tell(info.draft),
        "forward": info.target_forward.name,
        "versions": dict(info.versions),
        "recorded": when.isoformat(timespec="seconds"),
    }


def _each(questions: Mapping[str, Any], backend: Backend, lab: str) -> Iterator[tuple[str, Any]]:
    """Each question by its name; of METHODS each about each method, by the method's name."""
    if lab not in METHODS:
        yield from questions.items()
        return
    drafters = backend.catalog()
    known = {entry.name for entry in drafters}
    for method in METHODS[lab](drafters, backend.rules()):
        if method.drafter not in known:
            continue
        choice = {"drafter": method.drafter, "rule": method.rule, "gamma": method.gamma, "params": {**method.params}}
        for question in questions.values():
            yield method.name, {**question, "over": [{**changes, **choice} for changes in question["over"]]}


def _machine(labs: Labs, run: str) -> Any:
    """The first report about the machine, which has its name."""
    return next(_reports(labs.answer({"run": run, "ask": "machine", "job": "machine"})))["machine"]


def _reports(deltas: Iterator[Delta]) -> Iterator[Any]:
    for delta in deltas:
        (text,) = json.loads(delta["j"]).values()
        report = {name: value for name, value in json.loads(text).items() if name != "ask"}
        if "error" in report or "refused" in report:
            raise ConfigError(tell(report.get("error") or report["refused"]))
        yield report


def _lasts(report: Mapping[str, object]) -> bool:
    """True if a report holds more than progress."""
    return bool(set(report) - {"done", "of", "ended", "cells"})
