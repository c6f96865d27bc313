"""What KMS and the way to it say, in our errors: one table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from memory_lib.errors import DependencyDown, KeyMissing, SelfImprintError

PART = "kms"


class Reaction(Enum):
    """What an operator or a retry can do about it; the value is told."""

    WAIT = "does not answer for now; try again, and check kms.endpoint and kms.region where it stays so"
    RIGHTS = "refuses us; check kms.key_id, the credentials and the key's policy"
    NO_KEY = "does not know the key that kms.key_id names, or that wrapped this; check the region and the key id"
    UNUSABLE = "has the key disabled, pending deletion or of another kind; enable it or cancel its deletion"
    FOREIGN = "does not open it: altered, of another person, or wrapped by another key; restore it from a key backup"
    WRONG_CALL = "does not understand our request; check kms.endpoint and the version of boto3"


CODES: Mapping[str, Reaction] = {
    # the service model's own errors of the calls made here, and of the deletion of a key
    "DependencyTimeoutException": Reaction.WAIT,
    "KMSInternalException": Reaction.WAIT,
    "KeyUnavailableException": Reaction.WAIT,
    "LimitExceededException": Reaction.WAIT,
    "NotFoundException": Reaction.NO_KEY,
    "InvalidArnException": Reaction.NO_KEY,
    "DisabledException": Reaction.UNUSABLE,
    "KMSInvalidStateException": Reaction.UNUSABLE,
    "InvalidKeyUsageException": Reaction.UNUSABLE,
    "InvalidCiphertextException": Reaction.FOREIGN,
    "IncorrectKeyException": Reaction.FOREIGN,
    "InvalidGrantTokenException": Reaction.RIGHTS,
    "DryRunOperationException": Reaction.WRONG_CALL,
    # errors that any AWS service may answer
    "AccessDeniedException": Reaction.RIGHTS,
    "AccessDenied": Reaction.RIGHTS,
    "UnrecognizedClientException": Reaction.RIGHTS,
    "InvalidClientTokenId": Reaction.RIGHTS,
    "MissingAuthenticationToken": Reaction.RIGHTS,
    "IncompleteSignature": Reaction.RIGHTS,
    "SignatureDoesNotMatch": Reaction.RIGHTS,
    "InvalidSignatureException": Reaction.RIGHTS,
    "ExpiredTokenException": Reaction.RIGHTS,
    "ExpiredToken": Reaction.RIGHTS,
    "OptInRequired": Reaction.RIGHTS,
    "NotAuthorized": Reaction.RIGHTS,
    "ThrottlingException": Reaction.WAIT,
    "Throttling": Reaction.WAIT,
    "TooManyRequestsException": Reaction.WAIT,
    "RequestLimitExceeded": Reaction.WAIT,
    "ServiceUnavailable": Reaction.WAIT,
    "ServiceUnavailableException": Reaction.WAIT,
    "InternalFailure": Reaction.WAIT,
    "InternalError": Reaction.WAIT,
    "RequestTimeout": Reaction.WAIT,
    "RequestExpired": Reaction.WAIT,
    "ValidationException": Reaction.WRONG_CALL,
    "ValidationError": Reaction.WRONG_CALL,
    "InvalidAction": Reaction.WRONG_CALL,
    "UnknownOperationException": Reaction.WRONG_CALL,
    "SerializationException": Reaction.WRONG_CALL,
}
"""By the code of a ``ClientError``."""

CLASSES: Mapping[str, Reaction] = {
    "NoCredentialsError": Reaction.RIGHTS,
    "PartialCredentialsError": Reaction.RIGHTS,
    "CredentialRetrievalError": Reaction.RIGHTS,
    "UnauthorizedSSOTokenError": Reaction.RIGHTS,
    "NoRegionError": Reaction.NO_KEY,
    "InvalidRegionError": Reaction.NO_KEY,
    "ProfileNotFound": Reaction.RIGHTS,
    "HTTPClientError": Reaction.WAIT,
    "ConnectionError": Reaction.WAIT,
    "BotoCoreError": Reaction.WRONG_CALL,
    "UndefinedModelAttributeError": Reaction.WRONG_CALL,
    "ValueError": Reaction.WRONG_CALL,
}
"""By the name of an exception's class or of one it descends from, the nearest first."""


def translated(failure: Exception) -> SelfImprintError:
    """Our error for what boto3 raised. Nothing of the answer's text is repeated."""
    code = _code(failure)
    reaction = None if code is None else CODES.get(code)
    if reaction is None and code is not None:
        # a code that nobody has heard of: the server's own fault may pass, ours will not
        reaction = Reaction.WAIT if _status(failure) >= 500 else Reaction.WRONG_CALL
    if reaction is None:
        reaction = next((CLASSES[each.__name__] for each in type(failure).__mro__ if each.__name__ in CLASSES), None)
    if reaction is None:
        raise failure
    name = code or type(failure).__name__
    if reaction is Reaction.WAIT:
        return DependencyDown(PART, f"it {reaction.value} ({name})")
    return KeyMissing(f"KMS {reaction.value} ({name})")


def _code(failure: Exception) -> str | None:
    response = getattr(failure, "response", None)
    return str(response.get("Error", {}).get("Code", "")) if isinstance(response, Mapping) else None


def _status(failure: Exception) -> int:
    response = getattr(failure, "response", {})
    return int(response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
