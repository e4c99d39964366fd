"""Webhooks: addresses to which a table's new entries are posted, as an audience may see them."""
