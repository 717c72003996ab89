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
    """Makes uvicorn ignore X-Forwarded-For, unless FORWARDED_ALLOW_IPS names the proxies to trust.

    By default uvicorn trusts every connection from this machine, also a proxy that passes on visitors' own headers.
    """
    os.environ.setdefault("FORWARDED_ALLOW_IPS", "")


def address(request: Request | gr.Request) -> str:
    """The address that a request came from. For IPv6 it is the network, because a visitor has billions of addresses."""
    host = request.client.host if request.client else ""
    try:
        return str(ip_network(f"{host}/64", strict=False)) if ":" in host else host
    except ValueError:
        return host


class Allowance:
    """Allows each address that many requests a minute. Unused ones expire after a minute."""

    def __init__(self, minute: int, clock: Callable[[], float]) -> None:
        self._minute = minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """Seconds until the address may ask again. 0 means now, and counts the request."""
        now = self._clock()
        left, then = self._left.pop(who, (float(self._minute), now))
        left = min(self._minute, left + (now - then) * self._minute / 60)
        self._left[who] = (left - (left >= 1), now)
        while len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if left >= 1 else max(1.0, (1 - left) * 60 / self._minute)
