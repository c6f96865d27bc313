"""What the file system raises, in our own words: one table."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from memory_lib.errors import DependencyDown, Permanent, SelfImprintError

FOR_NOW: Final[Mapping[int, str]] = {
    errno.EAGAIN: "too much is asked of it",
    errno.EBUSY: "it is busy",
    errno.EINTR: "the call was interrupted",
    errno.EMFILE: "this process has too many files open",
    errno.ENFILE: "the machine has too many files open",
    errno.ENOLCK: "it has no lock left",
    errno.ENOMEM: "the machine is short of memory",
    errno.ENXIO: "its disk is not there",
    errno.ENODEV: "its disk is not there",
    errno.ESTALE: "its server was started anew",
    errno.ETIMEDOUT: "its server does not answer",
    errno.EHOSTDOWN: "its server is down",
    errno.EHOSTUNREACH: "its server cannot be reached",
    errno.ENETDOWN: "the network is down",
    errno.ENETUNREACH: "the network cannot be reached",
    errno.ENOTCONN: "its server is not connected",
}
"""What goes away by itself, or by somebody starting a server."""

TO_BE_MENDED: Final[Mapping[int, str]] = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "the quota is used up; free some space",
    errno.EFBIG: "the file would be larger than the file system allows",
    errno.EIO: "the disk does not read or write; check it",
    errno.EROFS: "the file system is read-only; mount it for writing",
    errno.EACCES: "the process has no right to; give it read and write rights",
    errno.EPERM: "the process has no right to, or the file system has no hard links",
    errno.ENOTDIR: "a file stands where a folder should; move it away",
    errno.EISDIR: "a folder stands where a file should; move it away",
    errno.ENAMETOOLONG: "its name is too long for the file system",
    errno.ELOOP: "its folder is a ring of links",
    errno.EMLINK: "the file has as many names as the file system allows",
    errno.EXDEV: "its folder is spread over two file systems",
    errno.EOPNOTSUPP: "the file system has no hard links or locks; put the folder on another one",
}
"""What an operator must mend."""


def translated(error: OSError, path: str) -> SelfImprintError:
    """Our error for the file system's; ``path`` is the blob's own."""
    code = error.errno or 0
    name = errno.errorcode.get(code, type(error).__name__)
    if code in FOR_NOW:
        return DependencyDown("files", f"{FOR_NOW[code]} ({name} at {path}); try again later")
    said = TO_BE_MENDED.get(code) or os.strerror(code)
    return Permanent(f"file {path} could not be read or written: {said} ({name}); what was there before is as it was")


@contextmanager
def file_errors(path: str) -> Iterator[None]:
    """Translate whatever the file system raises inside."""
    try:
        yield
    except OSError as error:
        # not chained: that error names a machine's path
        raise translated(error, path) from None
