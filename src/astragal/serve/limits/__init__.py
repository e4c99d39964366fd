"""Limits of connections, bodies, rates and long reads, and the turns of requests and threads."""
