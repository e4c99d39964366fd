"""Facts and wishes of Cold March. Their odds come from the push that the throw declares."""

from __future__ import annotations

from astragal.author import Wish, fact
from coldmarch.march import Result

FACTS = {
    "march": {
        "success": fact("Success", Result.success),
        "successes": fact("Successes", Result.successes),
        "frost": fact("Frost", Result.frost),
        "wear": fact("Wear", Result.wear),
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
