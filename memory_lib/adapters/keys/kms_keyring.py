"""The keyring whose keys are wrapped by AWS KMS, with an encryption context that says whose they are.

People's keys come from ``GenerateDataKey`` under the context ``{user, generation}``, the deployment's own secrets are encrypted
under ``{secret}``: KMS itself refuses to open one under another's context, and its log names the person's internal id. The
wrapped keys lie in files like those of the local keyring: a store of its own, never the ledger.
"""

from __future__ import annotations

import base64
import binascii
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from memory_lib.adapters.keys.file_keyring import FileKeyring
from memory_lib.adapters.keys.kms_errors import translated
from memory_lib.adapters.keys.params import KeyringParams, KmsParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue, KeyMissing, MissingExtra

PREFIX = "kms:1:"


class KmsClient:
    """Three calls of KMS in our terms; a client of its own in every process, made when it is first needed.

    Every method raises DependencyDown (KMS does not answer, or asks us to wait) and KeyMissing (it refuses).
    """

    def __init__(self, params: KmsParams) -> None:
        if params.key_id is None:
            raise IllegalValue("kms.key_id names no key; set it, or use the local keyring")
        self._key_id = params.key_id
        self._params = params
        self._client: tuple[int, Any] | None = None
        self._guard = threading.Lock()

    def data_key(self, context: Mapping[str, str]) -> tuple[bytes, bytes]:
        """A new 256-bit key: opened and wrapped."""
        answer = self._call("generate_data_key", KeyId=self._key_id, KeySpec="AES_256", EncryptionContext=dict(context))
        return answer["Plaintext"], answer["CiphertextBlob"]

    def encrypt(self, context: Mapping[str, str], secret: bytes) -> bytes:
        answer = self._call("encrypt", KeyId=self._key_id, Plaintext=secret, EncryptionContext=dict(context))
        wrapped: bytes = answer["CiphertextBlob"]
        return wrapped

    def decrypt(self, context: Mapping[str, str], wrapped: bytes) -> bytes:
        # the key is not named: KMS knows from the blob which of its keys wrapped it, an alias may point elsewhere by now
        answer = self._call("decrypt", CiphertextBlob=wrapped, EncryptionContext=dict(context))
        opened: bytes = answer["Plaintext"]
        return opened

    def _call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        call: Callable[..., dict[str, Any]]
        try:
            call = getattr(self._connected(), operation)
            return call(**arguments)
        except MissingExtra:
            raise
        except Exception as failure:  # noqa: BLE001 - botocore makes its classes at run time; the table knows them by name
            raise translated(failure) from None

    def _connected(self) -> Any:
        """A connection is not shared over a fork."""
        with self._guard:
            if self._client is None or self._client[0] != os.getpid():
                try:
                    import boto3  # noqa: PLC0415 - an extra
                    from botocore.config import Config  # noqa: PLC0415
                except ImportError:
                    raise MissingExtra("boto3", "s3") from None
                params = self._params
                config = Config(
                    connect_timeout=params.connect_s,
                    read_timeout=params.read_s,
                    retries={"total_max_attempts": params.attempts, "mode": "standard"},
                )
                session = boto3.session.Session()
                client = session.client("kms", region_name=params.region, endpoint_url=params.endpoint, config=config)
                self._client = (os.getpid(), client)
            return self._client[1]


class KmsWrapping:
    """Implements ``PersonWrapping``."""

    magic = b"SIK2"

    def __init__(self, client: KmsClient) -> None:
        self._client = client

    def fresh(self, user: UserId, generation: int) -> tuple[bytes, bytes]:
        return self._client.data_key(_person(user, generation))

    def unwrap(self, user: UserId, generation: int, wrapped: bytes) -> bytes:
        return self._client.decrypt(_person(user, generation), wrapped)


class KmsSecrets:
    """Implements ``SecretWrapping``."""

    def __init__(self, client: KmsClient) -> None:
        self._client = client

    def protect(self, name: str, secret: bytes) -> str:
        return PREFIX + base64.b64encode(self._client.encrypt({"secret": name}, secret)).decode("ascii")

    def reveal(self, name: str, line: str) -> bytes:
        try:
            wrapped = base64.b64decode(line.removeprefix(PREFIX), validate=True) if line.startswith(PREFIX) else b""
        except binascii.Error:
            wrapped = b""
        if not wrapped:
            raise KeyMissing(
                f"keys/{name} is not wrapped by KMS and kms.key_id is set; leave the setting out, or restore that file"
            )
        return self._client.decrypt({"secret": name}, wrapped)


class KmsKeyring(FileKeyring):
    """``FileKeyring`` under a KMS key. Nothing is asked of KMS but what construction and use need.

    Raises:
        MissingExtra: boto3 is not installed.
        DependencyDown, KeyMissing: as KMS answers.
    """

    def __init__(self, root: Path, *, id_key: bytes | None, params: KeyringParams, kms: KmsClient) -> None:
        super().__init__(
            root,
            id_key=id_key,
            params=params,
            secret_wrapping=KmsSecrets(kms),
            person_wrapping=lambda _: KmsWrapping(kms),
        )


def _person(user: UserId, generation: int) -> dict[str, str]:
    return {"user": user, "generation": str(generation)}
