"""Answers that take endless time or memory, in a module that a worker can import as it does ours."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from astragal.serve.workers import answers
from astragal.serve.workers.queue import QUICK

real = answers.odds
kept: list[bytearray] = []


def odds(asked: answers.OddsRequest) -> Any:
    """As ours, but ``show`` may name something dreadful; the file in ``notation`` tells that it has begun."""
    if not asked.show or asked.show[0] not in DREADFUL:
        return real(asked)
    end = time.process_time() + 2 * QUICK  # so that a slow worker has to do it
    while time.process_time() < end:
        pass
    if asked.notation:
        Path(asked.notation).touch()
    return DREADFUL[asked.show[0]]()


def _endless() -> None:
    """Listens to nothing, so that only the end of its process can stop it."""
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            continue


def _waiting() -> None:
    """Can be stopped at any time."""
    while True:
        time.sleep(0.01)


def _hog() -> None:
    while True:
        kept.append(bytearray(16 << 20))


def _keep() -> str:
    kept.append(bytearray(b"x") * (160 << 20))
    return "kept"


def _break() -> None:
    raise AssertionError("a secret")


DREADFUL = {"endless": _endless, "waiting": _waiting, "hog": _hog, "keep": _keep, "break": _break}
