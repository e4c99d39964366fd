"""serve.live."""
