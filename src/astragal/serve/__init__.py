"""The live table: an HTTP API, a WebSocket for news, and the page. It contains no rules of any game.

``access`` has links, seats and codes; ``limits`` bounds requests; ``workers`` answer questions; ``live`` has the open
tables; ``http`` handles one request; ``api`` has the operations; ``chat`` has Discord and webhooks.
"""
