"""Sweeps and basins on many machines: their blocks as futures of ``dask.distributed``, written to one folder as they are finished.

A block depends on the question and, where states are carried, on the block before it, and on nothing else. Whoever computes it, the folder
is the one that a single process would have written: it is resumed, merged and read like it. What workers that die were computing is computed
by others. ``resume=True`` finishes what an interrupted program has left.
"""

from __future__ import annotations

import pickle
from asyncio import CancelledError
from collections import deque
from collections.abc import Callable
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from . import _saltation
from .answer import ask
from .answers import Basin, Sweep
from .errors import Interrupted, SaltationError, refusal
from .fields import asked_by
from .frames import missing
from .progress import watcher
from .system import basin_fields, sweep_fields

if TYPE_CHECKING:
    from distributed import Client
    from typing_extensions import Unpack

    from .keywords import BasinFields, SweepFields
    from .system import System
    from .values import Axes, Progress

__all__ = ["basin", "sweep"]

#: Blocks that wait at the scheduler for every thread of the workers: enough that none is idle, few enough that little is kept in memory.
WAITING = 3
#: The time between two looks at the clock and at signals while no block is finished, in seconds.
LOOK = 0.5


@asked_by("sweep")
def sweep(system: System, along: Axes | None = None, *, client: Client | None = None, **fields: Unpack[SweepFields]) -> Sweep:
    """A sweep whose blocks the workers of a cluster compute.

    :param system: the system. A model with matrices beside its file is read again by every worker, from the same path.
    :param client: a client of ``dask.distributed``; by default the current one.
    :param folder: the folder that blocks are written to, which must be given. Only this process writes to it.

    The fields are those of :meth:`System.sweep <saltation.System.sweep>`; ``threads`` has no meaning here.
    Blocks are written as they are finished. Chains of carried states (``carry="up"``) are computed in their order, each on any worker.

    :raises RequestError: for mistakes in these fields or in the folder.
    :raises SaltationError: if a block is given up because the workers that computed it died again and again; the folder keeps what is done.
    :raises Interrupted: at Ctrl-C; the folder keeps what is done, and so does ``answer``.
    :raises ImportError: if ``distributed`` is not installed.

    >>> import tempfile, saltation as st
    >>> from distributed import Client
    >>> folder = tempfile.mkdtemp() + "/diagram"
    >>> with Client(processes=False, n_workers=1, dashboard_address=None) as client:
    ...     found = st.distributed.sweep(
    ...         st.gallery("impact-oscillator"), client=client, folder=folder, along={"A": (0.34, 0.36, 5)}, settle=20, record=3)
    >>> found.done, found.complete
    (5, True)
    """
    return _run("sweep", system, client, sweep_fields({"along": along, **fields}))  # type: ignore[return-value]


@asked_by("basin")
def basin(system: System, grid: Axes | None = None, *, client: Client | None = None, **fields: Unpack[BasinFields]) -> Basin:
    """Attractors and their basins, from initial conditions whose trajectories the workers of a cluster compute.

    :param system: the system.
    :param client: a client of ``dask.distributed``; by default the current one.
    :param folder: the folder that blocks are written to, which must be given.

    The fields are those of :meth:`System.basin <saltation.System.basin>`; ``threads`` has no meaning here.
    Attractors are told apart by this process, at the end.

    :raises RequestError: for mistakes in these fields or in the folder.
    :raises SaltationError: as :func:`sweep`.
    :raises Interrupted: as :func:`sweep`.
    :raises ImportError: if ``distributed`` is not installed.

    >>> import tempfile, saltation as st
    >>> from distributed import Client
    >>> folder = tempfile.mkdtemp() + "/basins"
    >>> walls = st.gallery("two-wall-oscillator").with_(nu=0.9)
    >>> with Client(processes=False, n_workers=1, dashboard_address=None) as client:
    ...     found = st.distributed.basin(walls, client=client, folder=folder, grid={"y": (0, 0.9, 4)}, settle=50, record=10)
    >>> found.done
    4
    """
    return _run("basin", system, client, basin_fields({"grid": grid, **fields}, system.start_state))  # type: ignore[return-value]


def _run(question: str, system: System, client: Client | None, given: dict[str, Any]) -> Sweep | Basin:
    library = missing("distributed", "distributed")
    progress: Progress = given.pop("progress", None)
    if given.pop("threads", None) is not None:
        raise refusal("threads", "the workers have threads of their own", "leave it out, and give threads to the cluster")
    if given.get("folder") is None:
        raise refusal("folder", "the blocks of a cluster are kept in a folder, and none is given", 'give for example folder="diagram"')
    if client is None:
        try:
            client = library.get_client()
        except ValueError:
            raise refusal("client", "there is no client of a cluster", "make one: client = distributed.Client()") from None
    if not isinstance(client, library.Client) or client.asynchronous:
        raise refusal("client", f"a client of dask.distributed is needed, not {client!r}", "give distributed.Client(...), which is not asynchronous")
    beside = {name: value for name, value in given.items() if name != "records"}
    blocks = _saltation.Blocks(question, system._native, beside)
    store = blocks.open()
    callable_, _, bar = watcher(progress)
    # From here on the folder exists.
    stored = {**given, "resume": True}
    try:
        done = _Work(question, system, beside, blocks, store).run(client, library, callable_)
    except KeyboardInterrupt:
        raise Interrupted(_as_far_as_done(question, system, stored)) from None
    finally:
        if bar is not None:
            bar.close()
    if not done:
        return _as_far_as_done(question, system, stored)
    # Nothing is left to compute: what the folder holds is read.
    return ask(question, system, {**stored, "threads": 1}, progress=False)  # type: ignore[return-value]


def _as_far_as_done(question: str, system: System, stored: dict[str, Any]) -> Sweep | Basin:
    """The answer of a folder as far as it is done: the run is interrupted as soon as it begins."""
    return ask(question, system, {**stored, "threads": 1}, progress=lambda _share, _words: False)  # type: ignore[return-value]


class _Work:
    """The blocks of a question on a cluster."""

    def __init__(
        self, question: str, system: System, fields: dict[str, Any], blocks: _saltation.Blocks, store: _saltation.BlockStore
    ) -> None:
        self.blocks = blocks
        self.store = store
        # Workers need the question; the folder is opened by this process only.
        self.asked = pickle.dumps((question, system, fields))
        self.portable = _saltation.portable_is_chosen()

    def run(self, client: Any, library: Any, see: Callable[[float | None, str], object] | None) -> bool:
        """Computes and writes what is missing; whether it was completed, which ``see`` prevents by ``False``."""
        chains = deque(range(*chain) for chain in self.store.missing())
        whole = sum(self.blocks.tasks_of(block) for chain in chains for block in chain)
        done = 0
        finished: Queue[Any] = Queue()
        # The futures at the cluster by their names, each with its block and what is left of its chain. All that a block needs is sent with it:
        # nothing lies with a worker that could be lost with it.
        waiting: dict[str, tuple[Any, int, range]] = {}

        def submit(chain: range, before: list[bytes] | None) -> None:
            key = f"saltation-block-{uuid4().hex}"
            future = client.submit(_compute, self.portable, self.asked, chain.start, before, key=key)
            waiting[key] = (future, chain.start, chain[1:])
            future.add_done_callback(finished.put)

        try:
            while waiting or chains:
                room = WAITING * max(1, sum(client.nthreads().values())) - len(waiting)
                for _ in range(min(room, len(chains))):
                    chain = chains.popleft()
                    before = self.blocks.before(chain.start)
                    submit(chain, None if before is None else self.store.read(before))
                try:
                    future, block, rest = waiting.pop(finished.get(timeout=LOOK).key)
                    tables = _result(future, block, library)
                    self.store.write(block, tables)
                    done += self.blocks.tasks_of(block)
                    if len(rest) > 0:
                        submit(rest, tables)
                except Empty:
                    pass
                if see is not None and see(done / max(whole, 1), f"{done} of {whole} tasks") is False:
                    return False
            return True
        finally:
            if waiting:
                client.cancel([future for future, _, _ in waiting.values()], force=True)


def _result(future: Any, block: int, library: Any) -> list[bytes]:
    """What was computed for a block; if it was lost with its worker it is computed again."""
    kept = "what is done is in the folder, and resume=True finishes it"
    try:
        return future.result()  # type: ignore[no-any-return]
    except library.KilledWorker as error:
        times = error.allowed_failures + 1
        why = f"the {times} workers that computed it died, perhaps for lack of memory"
        raise SaltationError(f"block {block} is given up: {why}; {kept}") from None
    except (library.CancelledError, CancelledError):
        raise SaltationError(f"block {block} was cancelled, perhaps because the cluster was closed; {kept}") from None


#: The blocks of the questions that this worker has seen last: models are compiled once.
_KNOWN: dict[bytes, _saltation.Blocks] = {}
_MOST_KNOWN = 8


def _compute(portable: bool, asked: bytes, block: int, before: list[bytes] | None) -> list[bytes]:
    """Computes a block on a worker, by the arithmetic of the process with the client."""
    # Before the model is read; a worker that has computed by the other one refuses.
    _saltation.portable(portable)
    blocks = _KNOWN.get(asked)
    if blocks is None:
        question, system, fields = pickle.loads(asked)
        blocks = _saltation.Blocks(question, system._native, fields)
        while len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.pop(next(iter(_KNOWN)), None)
        _KNOWN[asked] = blocks
    return blocks.compute(block, before)
