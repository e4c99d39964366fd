"""Seats for assistants: the Model Context Protocol (MCP) over the operations of the API, with a seat's rights."""
