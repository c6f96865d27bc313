"""Where everything is kept, as the settings say: on this machine, or on servers (DESIGN §3, Where things live)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.keys.file_keyring import FileKeyring
from memory_lib.adapters.keys.local_keyring import LocalKeyring, read_id_key, read_passphrase
from memory_lib.adapters.keys.passphrase import PassphraseSecrets
from memory_lib.adapters.sql.engine import LedgerUrl, sqlite_url
from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import MAIN, Tier
from memory_lib.errors import MissingExtra, UnknownSetting
from memory_lib.ports.blobs import Blobs
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import FileSealer, Sealer
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.settings import Settings

FILES = "files"
"""Where in the home sealed files of people lie, a folder a tier."""
LEDGER = "ledger.db"


def keyring_of(settings: Settings) -> FileKeyring:
    """Keys wrapped by KMS where a key of it is named, else on this machine; with a passphrase where one is set.

    Raises:
        UnknownSetting: two ways of protecting the same keys.
    """
    given = None if settings.id_key is None else read_id_key(settings.id_key.get_secret_value())
    passphrase = passphrase_of(settings)
    if settings.kms.key_id is None:
        secrets = None if passphrase is None else PassphraseSecrets(passphrase.get_secret_value(), params=settings.passphrase)
        return LocalKeyring(settings.home, id_key=given, params=settings.keyring, secrets=secrets)
    if passphrase is not None:
        raise UnknownSetting("kms.key_id and a passphrase of the keyring are both set; keys are wrapped by one of them")
    from memory_lib.adapters.keys.kms_keyring import KmsClient, KmsKeyring  # noqa: PLC0415 - an extra

    return KmsKeyring(settings.home, id_key=given, params=settings.keyring, kms=KmsClient(settings.kms))


def passphrase_of(settings: Settings) -> SecretStr | None:
    """The keyring's, from its setting or the file that a setting names. Raises UnknownSetting where both are set."""
    file = settings.keyring_passphrase_file
    if file is None:
        return settings.keyring_passphrase
    if settings.keyring_passphrase is not None:
        raise UnknownSetting("keyring_passphrase and keyring_passphrase_file are both set; leave one of them out")
    return SecretStr(read_passphrase(file))


def ledger_url_of(settings: Settings) -> LedgerUrl:
    """The server that the settings name, else a file in the home."""
    if settings.ledger_url is None:
        return sqlite_url(settings.home / LEDGER)
    return settings.ledger_url.get_secret_value()


def shards_of(settings: Settings, sealer: Sealer, keyring: FileKeyring) -> Mapping[str, GraphStore]:
    """Graph stores by name: a server each where servers are named, else files in the home."""
    if not settings.neo4j.shards:
        return {MAIN: SqliteGraphStore(settings.home, sealer, params=settings.graph_files, newest=keyring.generation)}
    try:
        from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("neo4j", "neo4j") from None

    def key(user: UserId, generation: int) -> bytes:
        return keyring.open(user, generation).key

    return {
        name: Neo4jGraphStore(server, sealer, keys=key, params=settings.neo4j, newest=keyring.generation)
        for name, server in settings.neo4j.shards.items()
    }


def blobs_of(settings: Settings) -> Mapping[Tier, Blobs]:
    """Where sealed files lie: near ones in the home, far ones in a bucket where one is named, else in the home too."""
    return {Tier.WARM: _folder(settings, Tier.WARM), Tier.COLD: _far(settings)}


def files_of(settings: Settings, blobs: Mapping[Tier, Blobs], sealer: FileSealer) -> Mapping[Tier, SealedGraphs]:
    """The sets of sealed files there."""
    return {tier: SynxSealedGraphs(each, sealer, params=settings.files) for tier, each in blobs.items()}


def files_in(folder: Path, settings: Settings, sealer: FileSealer) -> SealedGraphs:
    """The sets of sealed files that lie in a folder."""
    return SynxSealedGraphs(DirectoryBlobs(folder), sealer, params=settings.files)


def _folder(settings: Settings, tier: Tier) -> Blobs:
    return DirectoryBlobs(settings.home / FILES / tier.value)


def _far(settings: Settings) -> Blobs:
    if settings.s3.bucket is None:
        return _folder(settings, Tier.COLD)
    from memory_lib.adapters.blobs.s3 import S3Blobs  # noqa: PLC0415 - an extra

    return S3Blobs(settings.s3)
