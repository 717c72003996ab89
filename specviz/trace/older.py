"""Turns a trace of schema 6 into one of schema 7. Works on what json.loads gave. Standard library only.

What schema 6 lacks is computed from what it has. Only one thing is an estimate, a guess's segment of q's ruler: it is
as wide as q, holds the number that drew the guess, and comes behind every heavier bar.
"""

import re
from collections.abc import Sequence
from typing import Any

SCHEMA = 6
_COUNTED = re.compile(r"(\d+) tokens? of context, seen ([\d,]+) times(?:, ([\d,]+) in this text)?")


def upgrade(data: dict[str, Any]) -> dict[str, Any]:
    """The same run in the fields of schema 7.

    Raises:
        KeyError, TypeError, ValueError, IndexError, AttributeError: data is no trace of schema 6.
    """
    info = data["info"]
    return {
        **data,
        "schema": SCHEMA + 1,
        "info": _info(info),
        "rounds": [_round(step, info["config"]["drafter"]) for step in data["rounds"]],
        "race": data["race"] and {**data["race"], "rounds": [_timing(each) for each in data["race"]["rounds"]]},
    }


def _info(info: dict[str, Any]) -> dict[str, Any]:
    """Schema 6 knew two rules, and only chains drawn from rows."""
    gone = ("lossless", "draft_forward", "draft_slot_bytes")
    shared, forward = info["rule"] == "coupled", info["draft_forward"]
    cache = forward and {
        "name": info["config"]["drafter"],
        "slot_bytes": info["draft_slot_bytes"],
        "forward": forward,
    }
    return {
        **{name: value for name, value in info.items() if name not in gone},
        "traits": {
            "rolls": "shared noise" if shared else "dice",
            "plain_text": shared or info["config"]["temperature"] == 0,
            "lossless": info["lossless"],
            "law": "row",
            "shape": "chain",
        },
        "draft_caches": [cache] if cache else [],
    }


def _round(step: dict[str, Any], drafter: str) -> dict[str, Any]:
    extra, path = step["extra"], step["path"]
    rejected = extra and extra["emission"] == "resampled"
    return {
        **{name: value for name, value in step.items() if name != "draft_cache"},
        "verdicts": [_verdict(verdict, drafter) for verdict in step["verdicts"]],
        "extra": extra and {**extra, "node": _rejected(step["verdicts"], path) if rejected else None},
        "timing": _timing(step["timing"]),
        "draft_caches": [step["draft_cache"]] if step["draft_cache"] else [],
    }


def _rejected(verdicts: Sequence[dict[str, Any]], path: Sequence[int]) -> int:
    """The last guess rejected where the path ends."""
    end = path[-1] if path else -1
    nodes = [each["node"] for each in verdicts if each["parent"] == end and each["verdict"] == "rejected"]
    return int(nodes[-1])


def _timing(timing: dict[str, Any]) -> dict[str, Any]:
    return {**timing, "draft": [{"nodes": 1, "ms": each} for each in timing["draft"]]}


def _verdict(verdict: dict[str, Any], drafter: str) -> dict[str, Any]:
    q, drawn = verdict["q"], verdict["draft_u"]
    bars = verdict["view"]["bars"]
    low = sum(bar["q"] for bar in bars if (-bar["q"], bar["token"]) < (-q, verdict["token"]))
    if drawn is not None:
        low = min(max(low, drawn - q), drawn)
    low = max(0.0, min(low, 1 - q))
    words = verdict["evidence"]
    found = _COUNTED.fullmatch(words)
    context, seen, own = (int((each or "0").replace(",", "")) for each in found.groups()) if found else (0, 0, 0)
    return {
        **{name: value for name, value in verdict.items() if name != "evidence"},
        "law": "row",
        "low": low,
        "high": min(1.0, low + q),
        "weight": None,
        "mass": None,
        "source": {
            "who": drafter,
            "rank": 0,
            "span": None,
            "counts": {"context": context, "seen": seen, "own": own} if found else None,
            "words": words,
        },
    }
