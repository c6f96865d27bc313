"""One page about one person's memory graph that opens offline: the picture, details, search, filters, a list of all.

Nothing is fetched and nothing runs but the page's own script and style sheets, which the content security policy names by their
hashes. The person's words reach the script as JSON in a data block and the page as text, never as markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from selfimprint.pictures.graph_layout import is_over
from selfimprint.pictures.graph_svg import MAX_NODES, NODE_TYPES, glyph, node_facts, stylesheet, svg_element
from selfimprint.pictures.picture_words import (
    WORDS,
    Language,
    PictureWords,
    clean,
    picture_language,
    source_words,
    xml_attribute,
    xml_text,
)


def graph_html(show: Mapping[str, Any], *, language: Language | None = None, max_nodes: int = MAX_NODES) -> str:
    """The page for ``show`` (``{user, nodes, edges}``, the wire shape of ``show --json``).

    ``language`` of the fixed words; by default the one that most of the contents are in. The picture has the strongest
    ``max_nodes`` nodes, the list has all.
    """
    language = language or picture_language(show)
    words = WORDS[language]
    script = files(__package__).joinpath("graph_page.js").read_text(encoding="utf-8")
    style = stylesheet() + files(__package__).joinpath("graph_page.css").read_text(encoding="utf-8")
    title = f"{words.title}: {clean(show.get('user') or words.user)}"
    picture = svg_element(show, language=language, max_nodes=max_nodes, style="", interactive=True)
    nodes = sorted(show.get("nodes", ()), key=lambda node: (is_over(node), -float(node.get("weight") or 0), str(node["id"])))
    page = words.page
    allowed = f"script-src {_hash(script)}; style-src {_hash(style)}; img-src data:"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    types = [kind for kind in NODE_TYPES if any(node.get("type") == kind for node in nodes)]
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{xml_text(title)}</title>
<style>{style}</style>
</head>
<body class="si-graph">
<a class="skip" href="#list">{xml_text(page["skip"])}</a>
<header>
<h1>{xml_text(title)}</h1>
<form class="controls" role="search">
<label class="search">{xml_text(page["search"])}
<input id="search" type="search" autocomplete="off" placeholder={xml_attribute(page["search_hint"])}></label>
<fieldset><legend>{xml_text(page["types"])}</legend>
{"".join(_checkbox(kind, words) for kind in types)}</fieldset>
<button type="reset">{xml_text(page["clear"])}</button>
<output id="found" for="search"></output>
</form>
</header>
<main>
<section class="picture" aria-label={xml_attribute(page["picture"])}>
<div class="zoom"><button type="button" data-zoom="in" aria-label={xml_attribute(page["zoom_in"])}>+</button>
<button type="button" data-zoom="out" aria-label={xml_attribute(page["zoom_out"])}>−</button>
<button type="button" data-zoom="fit">{xml_text(page["fit"])}</button></div>
<div class="canvas" id="canvas" tabindex="-1">{picture}</div>
</section>
<aside>
<section class="details" aria-live="polite"><h2>{xml_text(page["details"])}</h2>
<div id="details"><p class="hint">{xml_text(page["choose"])}</p></div></section>
<section class="list"><h2 id="list" tabindex="-1">{xml_text(page["list"])}</h2>
<ul id="nodes">
{"".join(_list_item(node, words, language=language) for node in nodes)}</ul></section>
</aside>
</main>
<script type="application/json" id="data">{_data(show, nodes, words, language)}</script>
<script>{script}</script>
</body>
</html>
"""


def _hash(text: str) -> str:
    """A source expression that allows just this inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _icon(kind: str, *, over: bool) -> str:
    known = kind if kind in NODE_TYPES else "fact"
    return (
        f'<svg class="icon si-{known}{" si-over" if over else ""}" viewBox="-11 -11 22 22" width="18" height="18" '
        'aria-hidden="true">'
        f"{glyph(known, 8.5, 0.12 if over else 0.85)}</svg>"
    )


def _checkbox(kind: str, words: PictureWords) -> str:
    return (
        f'<label><input type="checkbox" name="type" value="{kind}" checked>{_icon(kind, over=False)}'
        f"{xml_text(words.node_types[kind])}</label>\n"
    )


def _list_item(node: Mapping[str, Any], words: PictureWords, *, language: Language) -> str:
    facts = " · ".join(node_facts(node, words, language=language))
    pinned = ' <span class="pin" aria-hidden="true">★</span>' if node.get("is_pinned") else ""
    return (
        f'<li><button type="button" data-id={xml_attribute(node["id"])}>{_icon(str(node.get("type")), over=is_over(node))}'
        f'<span><span class="said">{xml_text(node.get("content") or "")}</span>{pinned}'
        f"<small>{xml_text(facts)}</small></span></button></li>\n"
    )


def _data(show: Mapping[str, Any], nodes: list[Mapping[str, Any]], words: PictureWords, language: Language) -> str:
    """What the script needs, as JSON that can stand inside a script element."""
    contents = {node["id"]: clean(node.get("content") or "") for node in nodes}
    links: dict[str, list[dict[str, str]]] = defaultdict(list)
    for edge in show.get("edges", ()):
        if edge["from"] in contents and edge["to"] in contents and not edge.get("retracted_at"):
            name = words.edge_types.get(str(edge["type"]), str(edge["type"]))
            if edge.get("is_inferred"):
                name += f" ({words.page['inferred']})"
            links[edge["from"]].append({"to": edge["to"], "text": f"{name} →"})
            links[edge["to"]].append({"to": edge["from"], "text": f"← {name}"})
    data = {
        "words": {key: words.page[key] for key in ("found", "links", "not_drawn", "choose")} | {"sources": words.sources},
        "nodes": [
            {
                "id": node["id"],
                "type": node.get("type"),
                "content": contents[node["id"]],
                "facts": [clean(fact) for fact in node_facts(node, words, language=language)],
                "sources": [clean(line) for line in source_words(node, language=language)],
                "links": links[node["id"]],
            }
            for node in nodes
        ],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
