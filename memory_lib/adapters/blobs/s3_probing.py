"""A look at a bucket that changes nothing in it."""

from __future__ import annotations

from typing import Any

from memory_lib.adapters.blobs.params import S3Params
from memory_lib.adapters.blobs.s3_errors import client_errors
from memory_lib.domain.service_state import ServiceState
from memory_lib.errors import MissingExtra


def probe(name: str, params: S3Params) -> ServiceState:
    """Whether the bucket is there and may be listed, and whether it keeps versions. One attempt is made.

    Raises:
        DependencyDown: the server does not answer.
        Permanent: it refuses, or there is no such bucket.
        MissingExtra: its driver is not installed.
    """
    try:
        import boto3  # noqa: PLC0415 - an extra
        from botocore.config import Config  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("boto3", "s3") from None
    bucket = {"Bucket": params.bucket}
    with client_errors():
        client = boto3.session.Session().client(
            "s3",
            endpoint_url=params.endpoint,
            region_name=params.region,
            aws_access_key_id=None if params.access_key is None else params.access_key.get_secret_value(),
            aws_secret_access_key=None if params.secret_key is None else params.secret_key.get_secret_value(),
            config=Config(
                connect_timeout=params.connect_timeout_s,
                read_timeout=params.read_timeout_s,
                retries={"mode": "standard", "total_max_attempts": 1},
                s3={"addressing_style": "auto" if params.endpoint is None else "path"},
            ),
        )
        try:
            listed: dict[str, Any] = client.list_objects_v2(**bucket, Prefix=params.prefix, MaxKeys=1)
            versions = client.get_bucket_versioning(**bucket).get("Status") == "Enabled"
            pending = bool(client.list_multipart_uploads(**bucket, Prefix=params.prefix, MaxUploads=1).get("Uploads"))
        finally:
            client.close()
    said = str(listed["ResponseMetadata"]["HTTPHeaders"].get("server", ""))
    return ServiceState(
        name=name,
        reachable=True,
        usable=True,
        version=said,
        capabilities=(
            "keeps versions" if versions else "keeps no versions",
            *(("has uploads that were not finished",) if pending else ()),
        ),
    )
