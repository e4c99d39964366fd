"""A strict reader of Prometheus' text format, after its own description of it."""

from __future__ import annotations

import re
from typing import NamedTuple

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)").fullmatch
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}
KINDS = ("counter", "gauge", "histogram")


class Sample(NamedTuple):
    """One line with a value."""

    name: str
    labels: dict[str, str]
    value: float


def parse(text: str) -> list[Sample]:
    """The samples of an exposition; an AssertionError says what is wrong with it."""
    assert text.endswith("\n")
    kinds: dict[str, str] = {}
    samples: list[Sample] = []
    family = ""
    for line in text.splitlines() if "\r" not in text else [text]:
        if line.startswith("# "):
            _, what, family, *rest = line.split(" ", 3)
            assert what in ("HELP", "TYPE") and rest, line
            if what == "TYPE":
                assert family not in kinds and rest[0] in KINDS, f"twice, or of no kind: {line}"
                kinds[family] = rest[0]
            continue
        sample = _sample(line)
        own = sample.name if kinds[family] != "histogram" else re.sub("(_bucket|_sum|_count)$", "", sample.name)
        assert own == family, f"{line} stands below {family}"
        assert kinds[family] != "counter" or (sample.value >= 0 and sample.name.endswith("_total")), line
        samples.append(sample)
    keys = [(each.name, *sorted(each.labels.items())) for each in samples]
    assert len(keys) == len(set(keys)), "a sample is there twice"
    for name, kind in kinds.items():
        if kind == "histogram":
            _check_histogram(name, samples)
    return samples


def _sample(line: str) -> Sample:
    found = _SAMPLE(line)
    assert found, f"no sample: {line}"
    name, labels, value = found.groups()
    read = list(_LABEL.finditer(labels or ""))
    assert "".join(each[0] for each in read) == (labels or ""), f"labels cannot be read: {line}"
    pairs = {each[1]: re.sub(r'\\["\\n]', lambda found: _ESCAPES[found[0]], each[2]) for each in read}
    assert len(pairs) == len(read), line
    return Sample(name, pairs, float(value))


def _check_histogram(name: str, samples: list[Sample]) -> None:
    """Buckets count upwards, the last is +Inf and says the count."""
    groups: dict[tuple[tuple[str, str], ...], list[Sample]] = {}
    for each in samples:
        if each.name == f"{name}_bucket":
            rest = tuple(sorted((key, value) for key, value in each.labels.items() if key != "le"))
            groups.setdefault(rest, []).append(each)
    for rest, buckets in groups.items():
        bounds = [float(each.labels["le"]) for each in buckets]
        counts = [each.value for each in buckets]
        assert bounds == sorted(bounds) and bounds[-1] == float("inf"), name
        assert counts == sorted(counts), name
        (count,) = [each.value for each in samples if each.name == f"{name}_count" and each.labels == dict(rest)]
        assert count == counts[-1], name
        assert any(each.name == f"{name}_sum" and each.labels == dict(rest) for each in samples), name
