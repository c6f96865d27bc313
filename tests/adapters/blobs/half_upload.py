"""A process that dies in the middle of an upload: ``python -m tests.adapters.blobs.half_upload`` with the settings as JSON."""

from __future__ import annotations

import json
import os
import signal
import sys

from pydantic import SecretStr

from memory_lib.adapters.blobs.params import S3Params
from memory_lib.adapters.blobs.s3 import S3Blobs

PATH = "ab/ab12/000000000001/vectors"
DATA = bytes(1 << 20) * 11

if __name__ == "__main__":
    values = json.loads(sys.argv[1])
    secrets = {name: SecretStr(values[name]) for name in ("access_key", "secret_key")}
    blobs = S3Blobs(S3Params(**(values | secrets)))
    upload_part = blobs._client.upload_part

    def die_at_the_second(**arguments: object) -> object:
        if arguments["PartNumber"] == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return upload_part(**arguments)

    blobs._client.upload_part = die_at_the_second
    blobs.put(PATH, DATA)
