"""Chats: Discord's interactions, and webhooks that tell other programs what happened at a table."""
