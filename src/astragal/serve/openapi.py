from typing import Any


def document(operations: Any) -> dict[str, object]:
    return {}
