"""Running PostgreSQL as root: it refuses to, so the command is wrapped to make it somebody else.

First choice is a user namespace, in which root's own files simply look like nobody's. Where those are closed
(Docker's default profile), the user nobody itself runs it, and must be able to reach program and data.
"""

import os
import stat
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from launcher.console import Failure, say

NOBODY = 65534
_NAMESPACE = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")
# A change of user makes the kernel forget the death signal: setpriv sets it again (INT: fast shutdown).
_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--pdeathsig=INT")


@dataclass(frozen=True)
class Privileges:
    """How to run a command that must not be root: `prefix` before it, its files owned by `owner` (None: as is).

    The owner matters in both ways of running: what nobody has made is closed to root's namespace, too.
    """

    prefix: tuple[str, ...] = ()
    owner: int | None = None

    def give(self, *paths: Path) -> None:
        """Make `paths`, and all that is in them, the property of whoever runs the command."""
        for top in paths:
            if self.owner is None or top.lstat().st_uid == self.owner:
                continue
            for path in [*top.rglob("*"), top]:  # itself last: its owner says that the rest is done
                os.chown(path, self.owner, self.owner, follow_symlinks=False)


def unprivileged(*reached: Path) -> Privileges:
    """What this machine allows; `reached` are the paths that an unprivileged user must get to.

    Raises Failure when nothing works, or when a directory on the way is closed to that user.
    """
    if os.geteuid() != 0:
        return Privileges()
    if _works(_NAMESPACE):
        return Privileges(_NAMESPACE, os.geteuid())
    if not _works(_NOBODY):
        raise Failure(
            "PostgreSQL does not run as root, and neither user namespaces nor setpriv work here: "
            "start as an ordinary user, or set DATABASE_URL."
        )
    if closed := closed_directory(*reached):
        raise Failure(
            f"User namespaces are closed here, so PostgreSQL runs as nobody, who cannot enter {closed}: "
            "move the checkout (to /srv, say), start as an ordinary user, or set DATABASE_URL."
        )
    say("User namespaces are closed here: PostgreSQL runs as the user nobody.")
    return Privileges(_NOBODY, NOBODY)


def closed_directory(*paths: Path) -> Path | None:
    """The first existing directory above `paths` that not everybody may enter."""
    for path in paths:
        for parent in reversed(path.absolute().parents):
            if parent.exists() and not parent.stat().st_mode & stat.S_IXOTH:
                return parent
    return None


def _works(prefix: Sequence[str]) -> bool:
    try:
        return subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
