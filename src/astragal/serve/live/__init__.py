"""Tables in use: a hub for each, its WebSocket connections, and the frames that they send."""
