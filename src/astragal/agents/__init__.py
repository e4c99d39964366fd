"""Assistants: the Model Context Protocol (MCP) over the operations of the API, with one seat's rights."""
