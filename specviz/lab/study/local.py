"""The workers of a study on this machine: processes, each with its own models."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def processes(count: int, threads: int) -> Iterator[Executor]:
    """`count` processes, each with that many threads, started when first needed."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, context, _begin, (threads,))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(threads: int) -> None:
    """Before anything is imported that reads the number of threads."""
    os.environ["OMP_NUM_THREADS"] = str(threads)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and ends the work in order
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
