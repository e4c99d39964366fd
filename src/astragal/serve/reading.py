STYLE = ""


def page_of(document: dict[str, object]) -> str:
    return ""
