from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import pytest

from memory_lib.adapters.importers import ExportFormat, detect_format, read_export
from memory_lib.errors import UnknownSetting, UnreadableFile

ONE = {"user": "u", "conversation": "c", "id": "1", "role": "user", "text": "Нашла гриб", "time": "2026-05-04T09:00:00+03:00"}
SAMPLE = {
    "qa": [],
    "conversation": {
        "speaker_a": "A",
        "speaker_b": "B",
        "session_1_date_time": "1:00 pm on 8 May, 2023",
        "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "hi"}],
    },
    "sample_id": "s",
}
CHAT = {
    "name": "B",
    "type": "personal_chat",
    "id": 5,
    "messages": [{"id": 1, "type": "message", "from_id": "user7", "text": "hi", "date": "2026-05-04T09:00:00"}],
}
NODE = {
    "id": "n",
    "parent": None,
    "message": {"author": {"role": "user"}, "create_time": 1.7e9, "content": {"content_type": "text", "parts": ["hi"]}},
}
CONVERSATION = {"title": "t", "mapping": {"n": NODE}, "id": "c", "current_node": "n"}
EVIDENCE = {
    "question_id": "q",
    "evidence_sessions": [{"date": "2023/05/20 (Sat) 02:21", "turns": [{"role": "user", "content": "hi"}]}],
}
EXPORTS = {
    ExportFormat.JSONL: ONE,
    ExportFormat.LOCOMO: [SAMPLE],
    ExportFormat.LONGMEMEVAL: [EVIDENCE],
    ExportFormat.CHATGPT: [CONVERSATION],
    ExportFormat.TELEGRAM: CHAT,
}


def write(path: Path, content: object, *, indent=None) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content, indent=indent).encode())
    return path


@pytest.mark.parametrize("kind", ExportFormat)
@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf", b"\n  \r\n"])
def test_the_format_is_told_by_the_content(tmp_path, kind, prefix):
    path = write(tmp_path / "file", prefix + json.dumps(EXPORTS[kind]).encode())
    assert detect_format(path) is kind
    assert any(item.text for item in read_export(path))


@pytest.mark.parametrize("kind", [ExportFormat.TELEGRAM, ExportFormat.CHATGPT, ExportFormat.LOCOMO])
def test_indented_exports_are_told_too(tmp_path, kind):
    assert detect_format(write(tmp_path / "file", EXPORTS[kind], indent=1)) is kind


def test_evidence_by_line_is_told(tmp_path):
    assert detect_format(write(tmp_path / "file", EVIDENCE)) is ExportFormat.LONGMEMEVAL


@pytest.mark.parametrize("wanted", ExportFormat)
@pytest.mark.parametrize("kind", ExportFormat)
def test_a_file_of_another_format_than_said_is_refused(tmp_path, kind, wanted):
    path = write(tmp_path / "file", EXPORTS[kind])
    if kind is wanted:
        assert list(read_export(path, format=wanted))
    else:
        with pytest.raises(UnreadableFile, match=f"is {kind}, not {wanted}"):
            read_export(path, format=wanted)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"%PDF-1.7 \x00\x01", "no JSON"),
        (b"PK\x03\x04", "no JSON"),
        (b"\xff\xfe[\x00", "UTF-16"),
        (b"[]", "empty or damaged"),
        (b"[", "empty or damaged"),
        (b"{}", "lacks conversation, id, role, text, time"),
        (b"[1, 2]", "no supported format|empty or damaged"),
        (b'{"a": 1}\n{"a": 2}\n', "line 1: lacks"),
        (b'{"user": "u", "conv', "line 1: not valid JSON"),
        (b'{"text": "x"', "not valid JSON"),
        (json.dumps([ONE]).encode(), "one message a line"),
        (b'[{"name": "x"}]', "no supported format"),
        (b'"words"', "no JSON"),
    ],
)
def test_what_is_no_export_is_refused_before_anything_is_given(tmp_path, content, words):
    with pytest.raises(UnreadableFile, match=words):
        read_export(write(tmp_path / "file", content))


def test_a_jsonl_whose_first_line_is_bad_is_not_refused(tmp_path):
    path = write(tmp_path / "file", b"{oops}\n" + json.dumps(ONE).encode())
    assert len(list(read_export(path))) == 2


@pytest.mark.parametrize("broken", [[SAMPLE], [CONVERSATION], [EVIDENCE], CHAT])
def test_a_cut_before_the_first_whole_record_is_refused(tmp_path, broken):
    raw = json.dumps(broken).encode()
    with pytest.raises(UnreadableFile):
        read_export(write(tmp_path / "file", raw[: raw.rindex(b"hi")]))


def test_a_missing_file_a_folder_and_an_unknown_format_are_refused(tmp_path):
    with pytest.raises(UnreadableFile, match="no file"):
        read_export(tmp_path / "gone")
    with pytest.raises(UnreadableFile, match="folder"):
        read_export(tmp_path)
    with pytest.raises(UnknownSetting, match="jsonl"):
        read_export(write(tmp_path / "file", ONE), format="csv")


def test_errors_name_no_word_of_the_file_or_its_path(tmp_path):
    with pytest.raises(UnreadableFile) as caught:
        read_export(write(tmp_path / "canary.json", b'{"canary": "canary"}'))
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("kind", ExportFormat)
def test_progress_rises_to_the_whole(tmp_path, kind):
    seen = []
    path = write(tmp_path / "file", EXPORTS[kind])
    list(read_export(path, on_progress=lambda done, total: seen.append((done, total))))
    assert seen == sorted(seen)
    assert {total for _, total in seen} == {path.stat().st_size * (2 if kind is ExportFormat.TELEGRAM else 1)}
    assert seen[-1][0] == seen[-1][1]


@pytest.mark.parametrize("kind", ExportFormat)
def test_the_same_file_twice_gives_the_same_messages(tmp_path, kind):
    path = write(tmp_path / "file", EXPORTS[kind])
    assert list(read_export(path)) == list(read_export(path))


def _resident_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / (1 << 20)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="resident memory is read from /proc")
@pytest.mark.parametrize(("nodes_each", "size"), [(200, 60 << 20), (1_000_000, 25 << 20)])
def test_a_large_chatgpt_export_in_one_line_takes_little_memory(tmp_path, nodes_each, size):
    path, number = tmp_path / "conversations.json", 0
    text = 'сегодня я опять "чинила" {велосипед} [сама] \U0001f600 ' * 12
    quoted = json.dumps(text)[:-1]
    with path.open("w") as file:
        file.write("[")
        while file.tell() < size:
            file.write("," if number else "")
            file.write(f'{{"id": "c{number}", "create_time": 1.7e9, "mapping": {{')
            parent = "null"
            for key in range(nodes_each):
                role = "assistant" if key % 2 else "user"
                content = f'{{"content_type": "text", "parts": [{quoted} {key}"]}}'
                message = f'{{"id": "n{key}", "author": {{"role": "{role}"}}, "create_time": 1.7e9, "content": {content}}}'
                file.write(f'{"," if key else ""}"n{key}": {{"parent": {parent}, "message": {message}}}')
                parent = f'"n{key}"'
                if file.tell() >= size:
                    break
            file.write(f'}}, "current_node": {parent}}}')
            number += 1
        file.write("]")
    before, highest, count = _resident_mib(), 0.0, 0
    for item in read_export(path):
        assert item.text == f"{text} {count % nodes_each}"
        count += 1
        if count % 500 == 0:
            highest = max(highest, _resident_mib())
    assert count > 9_000
    assert highest - before < 100
