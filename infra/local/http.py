"""Whether an HTTP server answers at all, whatever it says."""

from __future__ import annotations

import http.client


def answers(port: int, path: str = "/") -> bool:
    """Whether something on this port of 127.0.0.1 speaks HTTP within two seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
