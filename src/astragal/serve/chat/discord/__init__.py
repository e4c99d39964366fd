"""Discord over HTTP: interactions come in signed, and are answered directly. There is no bot and no gateway."""
