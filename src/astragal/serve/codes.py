"""Codes: short words that stand for something for a few minutes. They are kept in memory, by a keyed hash."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from hashlib import sha256
from secrets import choice, token_bytes
from typing import Generic, NamedTuple, TypeVar

from astragal.errors import Forbidden

WORDS = [
    "acorn",
    "actor",
    "agent",
    "album",
    "alley",
    "amber",
    "anchor",
    "angel",
    "ankle",
    "apple",
    "apron",
    "arch",
    "arrow",
    "atlas",
    "attic",
    "autumn",
    "badge",
    "baker",
    "bamboo",
    "banjo",
    "barn",
    "basket",
    "beacon",
    "beard",
    "bell",
    "berry",
    "bison",
    "blanket",
    "boat",
    "bonnet",
    "bottle",
    "branch",
    "bread",
    "bridge",
    "broom",
    "bucket",
    "button",
    "cabin",
    "cactus",
    "camel",
    "candle",
    "canyon",
    "carpet",
    "castle",
    "cedar",
    "chalk",
    "cherry",
    "chimney",
    "circus",
    "cliff",
    "cloud",
    "clover",
    "cobra",
    "coffee",
    "comet",
    "copper",
    "coral",
    "cotton",
    "cradle",
    "crane",
    "crown",
    "crystal",
    "curtain",
    "daisy",
    "dancer",
    "desert",
    "diamond",
    "dolphin",
    "donkey",
    "dragon",
    "drum",
    "eagle",
    "earth",
    "ember",
    "engine",
    "falcon",
    "feather",
    "fiddle",
    "finger",
    "flame",
    "flute",
    "forest",
    "fossil",
    "fountain",
    "fox",
    "fridge",
    "frog",
    "garden",
    "garlic",
    "ghost",
    "giant",
    "ginger",
    "glacier",
    "globe",
    "goblet",
    "goose",
    "grape",
    "guitar",
    "hammer",
    "harbor",
    "hazel",
    "helmet",
    "heron",
    "hinge",
    "hockey",
    "honey",
    "hotel",
    "hunter",
    "iceberg",
    "igloo",
    "iron",
    "island",
    "ivory",
    "jacket",
    "jaguar",
    "jelly",
    "jewel",
    "jungle",
    "kettle",
    "kitten",
    "knight",
    "ladder",
    "lagoon",
    "lantern",
    "lemon",
    "letter",
    "lily",
    "lion",
    "lobster",
    "locket",
    "lotus",
    "magnet",
    "mango",
    "maple",
    "marble",
    "market",
    "meadow",
    "melon",
    "mirror",
    "monkey",
    "moon",
    "mosaic",
    "moth",
    "mountain",
    "museum",
    "napkin",
    "nectar",
    "needle",
    "nickel",
    "noodle",
    "oasis",
    "ocean",
    "olive",
    "onion",
    "opera",
    "orange",
    "orchard",
    "otter",
    "oven",
    "owl",
    "oyster",
    "paddle",
    "palace",
    "panda",
    "paper",
    "parrot",
    "peach",
    "pebble",
    "pencil",
    "pepper",
    "piano",
    "pigeon",
    "pillow",
    "pine",
    "pirate",
    "planet",
    "plum",
    "pocket",
    "polar",
    "pony",
    "poppy",
    "potato",
    "powder",
    "puzzle",
    "python",
    "quartz",
    "queen",
    "rabbit",
    "radio",
    "rain",
    "raven",
    "ribbon",
    "river",
    "robot",
    "rocket",
    "rose",
    "ruby",
    "saddle",
    "salmon",
    "sand",
    "scarf",
    "school",
    "seal",
    "shadow",
    "shell",
    "silver",
    "singer",
    "sky",
    "slipper",
    "snail",
    "snow",
    "socket",
    "spider",
    "spoon",
    "spring",
    "squash",
    "stable",
    "statue",
    "storm",
    "sugar",
    "summer",
    "sunset",
    "swan",
    "table",
    "teapot",
    "temple",
    "thunder",
    "ticket",
    "tiger",
    "timber",
    "tomato",
    "torch",
    "tower",
    "train",
    "tulip",
    "tunnel",
    "turtle",
    "uncle",
    "valley",
    "velvet",
    "violin",
    "volcano",
    "wagon",
    "walnut",
    "water",
    "whale",
    "wheat",
    "whistle",
    "willow",
    "window",
    "winter",
    "wizard",
    "wolf",
    "wood",
    "yacht",
    "yellow",
    "zebra",
    "zipper",
]
"""Words that sound different when they are read aloud."""
SPOKEN = 3
"""Words of a spoken code."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Signs of a typed code: none that look alike."""
TYPED = 8
"""Signs of a typed code."""
MAX_CODES = 20_000
"""Codes kept at a time; the oldest go first."""
INVALID = "This code is not valid, or no longer. Ask for the one that is shown now."

T = TypeVar("T")


def spoken_code() -> str:
    """A code that can be read aloud: one of some 16 million."""
    return " ".join(choice(WORDS) for _ in range(SPOKEN))


def typed_code() -> str:
    """A code to be typed: one of some 850,000 million."""
    code = "".join(choice(LETTERS) for _ in range(TYPED))
    return f"{code[: TYPED // 2]}-{code[TYPED // 2 :]}"


class _Meaning(NamedTuple, Generic[T]):
    """What a code stands for, and until when, in milliseconds."""

    value: T
    until: int


class Codes(Generic[T]):
    """Codes that stand for something. They are found by a keyed hash, so that the time that takes tells nothing."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._key = token_bytes(32)
        self._meanings: dict[bytes, _Meaning[T]] = {}

    def put(self, code: str, value: T, seconds: int) -> None:
        """Let a code stand for something for so long, from now."""
        hashed = self._hash(code)
        self._meanings.pop(hashed, None)
        if len(self._meanings) >= MAX_CODES:
            self._meanings.pop(next(iter(self._meanings)))
        self._meanings[hashed] = _Meaning(value, self._clock() + 1000 * seconds)

    def find(self, code: str) -> T:
        """What a code stands for; Forbidden if it is not valid."""
        found = self._meanings.get(self._hash(code))
        if found is None or found.until < self._clock():
            raise Forbidden(INVALID)
        return found.value

    def take(self, code: str) -> T:
        """What a code stands for, once."""
        value = self.find(code)
        self.drop(code)
        return value

    def drop(self, code: str) -> None:
        """End a code."""
        self._meanings.pop(self._hash(code), None)

    def _hash(self, code: str) -> bytes:
        """The hash of a code as it is meant: without case, spaces and dashes."""
        plain = "".join(sign for sign in code.casefold() if sign.isalnum())
        return hmac.digest(self._key, plain.encode(), sha256)
