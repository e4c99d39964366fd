"""Evenings in virtual time: owners, connections and programs at one table, on a store in memory that fails at times."""
