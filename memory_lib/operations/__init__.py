"""Operations on one person, asked for by an operator or the person: a file each, and the registry that the command line and the
flows walk alike (DESIGN §5, ops).

An operation adapts ports and settings to one use case and returns a receipt. Without ``Asked.apply`` it is a dry run: the
receipt lists exactly what would change, and nothing has.
"""

from __future__ import annotations

from collections.abc import Mapping

from memory_lib.operations.bench import Operation
from memory_lib.operations.correct import correct
from memory_lib.operations.disclose import disclose
from memory_lib.operations.erase import erase
from memory_lib.operations.export_user import export_user
from memory_lib.operations.forget import forget
from memory_lib.operations.import_user import import_user
from memory_lib.operations.move import move
from memory_lib.operations.rebuild import rebuild
from memory_lib.operations.reseal import reseal
from memory_lib.operations.reset import reset
from memory_lib.operations.restore import restore
from memory_lib.operations.rotate_keys import rotate_keys
from memory_lib.operations.undo import undo

OPERATIONS: Mapping[str, Operation] = {
    "disclose": disclose,
    "erase": erase,
    "export": export_user,
    "forget": forget,
    "import-user": import_user,
    "move": move,
    "rebuild": rebuild,
    "reseal": reseal,
    "restore": restore,
    "rotate-keys": rotate_keys,
    "correct": correct,
    "reset": reset,
    "undo": undo,
}
"""By name, as ``selfimprint NAME`` and the flow of that operation call them."""
