"""A roll's ask, dice and odds while it is open."""
