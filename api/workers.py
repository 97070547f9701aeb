"""The processes that serve where there are several, and their parent, any of which may be killed at any moment."""

import multiprocessing
import os
import signal
import threading

from uvicorn.supervisors import Multiprocess


class Workers(Multiprocess):
    """uvicorn's, but it replaces at once a worker that is killed while it is asked for a sign of life.

    The parent would otherwise wait for the answer as long as for that of a worker that starts, and replace nobody: as
    it holds the worker's end of the pipe too, it would never read the end of it.
    """

    def keep_subprocess_alive(self) -> None:
        for worker in self.processes:
            worker.child_conn.close()
        super().keep_subprocess_alive()


def end_with_parent() -> None:
    """Have this process stop, as at SIGTERM, when its parent is killed: it would hold the port against the next one."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="capicua-parent", daemon=True).start()
