"""The operations of the API, its WebSocket, and its documentation."""
