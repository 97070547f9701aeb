"""The browser of the tests: a Chromium that is there, or else one that is fetched.

`python -m tests.browser.chromium` makes sure that there is one, as `make test` does. `CAPICUA_BROWSER` names another.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.documents import ROOT

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES: Final = ("chromium", "fonts-liberation")
"""Of Debian. A page is of no use without a font, which a browser alone need not bring."""

FETCHED: Final = ROOT / ".tools" / "browsers"
SHELLS: Final = ("**/chrome-headless-shell", "**/headless_shell")
"""What Playwright's own is called, in which folder soever."""

ARGUMENTS: Final = (
    "--no-sandbox",  # a container's root has none; all that is opened is our own
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)

LACKING: Final = (
    "The tests of the page need Chromium, and there is none. Install the package chromium, or name a Chromium or "
    "Chrome in CAPICUA_BROWSER; `make test` tries to fetch one."
)


def found() -> str | None:
    """The program, if there is one that runs."""
    if named := os.environ.get("CAPICUA_BROWSER"):
        return named
    on_path = (shutil.which(name) for name in NAMES)
    fetched = (str(path) for pattern in SHELLS for path in sorted(FETCHED.glob(pattern)))
    return next((path for path in (*on_path, *fetched) if path is not None and _runs(path)), None)


def _runs(program: str) -> bool:
    """Some are only a hint to install something else."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def fetch() -> str:
    """The program, fetched if need be: as root by Debian's own means, and otherwise by Playwright's."""
    for fetching in (_from_debian, _from_playwright):
        if (there := found()) is not None:
            return there
        fetching()
    if (there := found()) is not None:
        return there
    raise SystemExit(LACKING)


def _from_debian() -> None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    print("Installing Chromium, for the tests of the page.", file=sys.stderr)
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"]
    install = [*apt, "install", "--yes", "--no-install-recommends", *PACKAGES]
    if not _try(install, quiet=True):  # as in an image that came without the lists of what there is
        _try([*apt, "update"])
        _try(install)


def _from_playwright() -> None:
    print("Fetching Chromium into .tools, for the tests of the page.", file=sys.stderr)
    _try(
        [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"],
        PLAYWRIGHT_BROWSERS_PATH=str(FETCHED),
    )


def _try(command: list[str], *, quiet: bool = False, **variables: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", **variables}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not quiet:
        print(done.stdout, done.stderr, sep="", file=sys.stderr)
    return done.returncode == 0


def program() -> Path:
    """The program, which has to be there."""
    path = found()
    assert path is not None, LACKING
    return Path(path)


if __name__ == "__main__":
    fetch()
