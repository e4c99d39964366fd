"""Open tables: for each a hub with its owner, its WebSocket connections, and the frames that they send."""
