"""Facts and wishes of Cold March. The tree gives all odds; ``pushed`` gives those with the best policy sooner."""

from __future__ import annotations

from astragal.author import Fact, Wish
from coldmarch.pushed import planned

FACTS = {
    "march": {
        "success": Fact(
            "Success", lambda result: result.success, lambda ask: (True, False), planned=planned("success")
        ),
        "successes": Fact("Successes", lambda result: result.successes, planned=planned("successes")),
        "frost": Fact("Frost", lambda result: result.frost, planned=planned("frost")),
        "wear": Fact("Wear", lambda result: result.wear, planned=planned("wear")),
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
