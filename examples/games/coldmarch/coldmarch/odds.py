"""Facts and wishes of Cold March; the tree gives the odds."""

from __future__ import annotations

from astragal.author import Fact, Wish

FACTS = {
    "march": {
        "success": Fact("Success", lambda result: result.success, lambda ask: (True, False)),
        "successes": Fact("Successes", lambda result: result.successes),
        "frost": Fact("Frost", lambda result: result.frost),
        "wear": Fact("Wear", lambda result: result.wear),
    },
}
WISHES = {
    "march": {
        "succeed": Wish("succeed", "enough successes", lambda result: int(result.success)),
        "unscathed": Wish(
            "unscathed", "success without Frost", lambda result: int(result.success and not result.frost)
        ),
        "most": Wish("most", "as many successes as possible", lambda result: result.successes, counts=True),
    },
}
