"""Whose request it is, by network address, and how often an address may ask."""

import os
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_network

import gradio as gr
from starlette.requests import Request

ADDRESSES = 4_096
"""How many addresses are remembered."""


def believe_no_proxy() -> None:
    """Has uvicorn take nobody's word, in X-Forwarded-For, for an address, unless FORWARDED_ALLOW_IPS names whose. Left
    alone it believes whatever connects from this machine, and a proxy that passes visitors' own headers on is such.
    """
    os.environ.setdefault("FORWARDED_ALLOW_IPS", "")


def address(request: Request | gr.Request) -> str:
    """Whose request it is by the network: an address, or, where each has billions of them, the net they are in."""
    host = request.client.host if request.client else ""
    try:
        return str(ip_network(f"{host}/64", strict=False)) if ":" in host else host
    except ValueError:
        return host


class Allowance:
    """So many requests a minute for each address; unused ones last for at most that minute."""

    def __init__(self, minute: int, clock: Callable[[], float]) -> None:
        self._minute = minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """Seconds until it may ask again, 0 when it may now; that is then counted."""
        now = self._clock()
        left, then = self._left.pop(who, (float(self._minute), now))
        left = min(self._minute, left + (now - then) * self._minute / 60)
        self._left[who] = (left - (left >= 1), now)
        while len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if left >= 1 else max(1.0, (1 - left) * 60 / self._minute)
