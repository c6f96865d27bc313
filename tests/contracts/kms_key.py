"""A KMS key of our own on the tests' server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory_lib.adapters.keys.kms_keyring import KmsClient
from memory_lib.adapters.keys.params import KmsParams
from tests.servers import KmsServer


@pytest.fixture(scope="session")
def kms(kms_server: KmsServer) -> Iterator[KmsClient]:
    """A client under a key of our own, with credentials in the environment, as a deployment has them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", kms_server.access_key)
        patch.setenv("AWS_SECRET_ACCESS_KEY", kms_server.secret_key)
        patch.delenv("AWS_SESSION_TOKEN", raising=False)
        params = KmsParams(
            key_id=kms_server.fresh_key(),
            endpoint=kms_server.endpoint,
            region=kms_server.region,
            connect_s=2.0,
            read_s=10.0,
            attempts=2,
        )
        yield KmsClient(params)
