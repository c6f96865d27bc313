"""Files with a person's words in them: new, and for whoever runs the command alone."""

from __future__ import annotations

import os
from pathlib import Path

from memory_lib.errors import InvalidInput


def write_new(path: Path, content: bytes, *, todo: str) -> None:
    """Raises InvalidInput, ending with ``todo``, where there is a file already or none can be made; nothing half stays."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InvalidInput(f"the file cannot be written ({reason}); {todo}") from None
