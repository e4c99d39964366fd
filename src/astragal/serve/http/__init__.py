"""serve.http."""
