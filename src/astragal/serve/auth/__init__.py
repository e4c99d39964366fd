"""serve.auth."""
