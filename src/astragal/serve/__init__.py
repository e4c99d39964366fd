"""The live table: an HTTP API, a WebSocket for news, and the page. It knows no rule of any game."""
