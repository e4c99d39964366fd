"""serve.api."""
