"""Python imports this at the start of every process of the tests: it refuses each address but this machine's."""

import importlib.abc
import importlib.util
import sys
from typing import Any

HERE = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "", None)  # asked for, not listened at
REFUSED = "tests ask no network: "


def _is_here(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    return name in HERE or (isinstance(name, str) and name.startswith("127."))


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None  # a path is a socket of this machine
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if not _is_here(host):
        raise ConnectionRefusedError(REFUSED + str(host))


sys.addaudithook(_guard)


class _Stubs(importlib.abc.MetaPathFinder):
    """gradio writes its type stubs anew whenever it is imported, which takes a second of every process."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != "gradio.component_meta":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.loader is not None
        load = spec.loader.exec_module

        def without_stubs(module: Any) -> None:
            load(module)
            module.create_or_modify_pyi = lambda *_: None

        spec.loader.exec_module = without_stubs  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, _Stubs())
