"""The live table: an HTTP API, a WebSocket for what happens, and the page. It knows no rule."""
