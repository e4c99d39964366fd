"""Chats: commands from Discord, and webhooks that post a table's new entries to other programs."""
