"""Messages to a worker: what was asked comes over as it was, and what is large is not copied on the way."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from msgspec import Raw

from astragal.serve.workers.message import JsonPieces, read_question, receive, send, write_question


def counted(word: str, entries: Raw, n: int) -> str:
    """A question with something large in the middle."""
    return f"{word} {bytes(entries).count(b'x')} {n}"


def nothing() -> str:
    """A question about nothing."""
    return ""


LARGE = b'"' + b"x" * (1 << 20) + b'"'


def test_a_question_in_pieces_arrives_whole() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, ThreadPoolExecutor(1) as pool:
        question = write_question(counted, ("ä", JsonPieces([b"[", LARGE, b",", LARGE, b"]"]), 3), 2.5)
        sent = pool.submit(partial(send, ours, *question))
        work, args, read = read_question(receive(theirs))
        sent.result(60)
    assert (read.seconds, read.quick) == (2.5, False)
    assert work(*args) == f"ä {2 << 20} 3"


def test_a_question_without_arguments_is_a_question() -> None:
    assert read_question(b"".join(write_question(nothing, (), 1.0)))[1] == ()


def test_megabytes_are_sent_as_they_are_and_not_put_together() -> None:
    """Whoever copies them holds the interpreter meanwhile, and with it everybody at every table."""
    question = write_question(counted, ("a", JsonPieces([LARGE]), 3), 2.5)
    assert any(piece is LARGE for piece in question)
    assert sum(len(piece) for piece in question if piece is not LARGE) < 200
