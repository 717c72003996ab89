"""The workers of a study on a Ray cluster: actors that keep models. A lost one leaves its task to another."""

import os
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from specviz.config.settings import ConfigError


class Worker:
    """What an actor does: whatever it is asked, one thing after the other."""

    def call(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """The work's answer."""
        return work(*arguments)


class Actors(Executor):
    """Each task waits in a thread for a free actor. If the actor is lost, with its node or alone, it waits again."""

    def __init__(self, ray: Any, actors: list[Any]) -> None:
        self._ray = ray
        self._threads = ThreadPoolExecutor(len(actors))
        self._alive = len(actors)
        self._counting = threading.Lock()
        self._free: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for actor in actors:
            self._free.put(actor)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        return self._threads.submit(self._call, work, *arguments)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - Executor's
        self._threads.shutdown(wait, cancel_futures=cancel_futures)

    def _call(self, work: Callable[..., Any], *arguments: Any) -> Any:
        while actor := self._free.get():
            try:
                return self._ray.get(actor.call.remote(work, *arguments))
            except self._ray.exceptions.RayActorError:
                actor = None
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause from None
            finally:
                self._back(actor)
        self._free.put(None)  # for the next who waits
        raise BrokenExecutor("all workers of the cluster are lost")

    def _back(self, actor: Any) -> None:
        """Puts an actor back, or takes a lost one off the count; the last one leaves None."""
        with self._counting:
            self._alive -= actor is None
            if actor or not self._alive:
                self._free.put(actor)


@contextmanager
def actors(address: str, count: int | None, cores: int, *, gpu: bool) -> Iterator[tuple[Executor, int]]:
    """The cluster's workers and how many there are: as many as are wanted, or as there is room for now.

    Args:
        address: of the cluster, or as ray.init takes it; `local` starts one on this machine.
        cores: of each worker.
        gpu: whether a worker has a GPU for itself, if the cluster has any.

    Raises:
        ConfigError: Ray is not installed, the cluster cannot be reached, or has no room.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise ConfigError('--ray needs Ray; pip install "specviz[cluster]"') from None
    threads = {"env_vars": {"OMP_NUM_THREADS": str(cores)}}
    started = {"include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address, runtime_env=threads, log_to_driver=False, logging_level="ERROR", **started)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ConfigError(f"--ray {address}: {str(error).splitlines()[0]}") from None
    try:
        free = ray.available_resources()
        gpus = int(free.get("GPU", 0)) if gpu else 0
        most = gpus or int(free.get("CPU", 0)) // cores
        if not most:
            raise ConfigError(f"--ray {address}: no node has {cores} cores free")
        size = min(count or most, most)
        made = ray.remote(num_cpus=cores, num_gpus=1 if gpus else 0, max_restarts=0)(Worker)
        crew = Actors(ray, [made.remote() for _ in range(size)])
        try:
            yield crew, size
        finally:
            crew.shutdown(cancel_futures=True)
    finally:
        ray.shutdown()
