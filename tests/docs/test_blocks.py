"""The reader of code blocks, on text of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import blocks as module
from tests.docs.blocks import Block, Command, blocks, commands

PAGE = """# Page

```python
a = 1
```

- a list

  ```python
  b = a

  c = b
  ```

```console
$ selfimprint show --user anya \\
    --live
{...}
$ make run
```
"""


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "text_of", lambda _: PAGE)
    return Path("page.md")


def test_blocks_know_their_line_and_lose_the_indent_of_their_list(page: Path) -> None:
    assert list(blocks(page, "python")) == [
        Block(page, 4, "python", "a = 1\n"),
        Block(page, 10, "python", "b = a\n\nc = b\n"),
    ]


def test_commands_are_joined_over_a_backslash_and_keep_their_output(page: Path) -> None:
    assert list(commands(page)) == [
        Command(page, 16, "selfimprint show --user anya --live", "{...}"),
        Command(page, 19, "make run", ""),
    ]
