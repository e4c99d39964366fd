"""Discord over HTTP: signed interactions arrive, and each is answered in the reply. There is no bot and no gateway."""
