"""The things that a table keeps between rolls: sheets, decks, tables of entries, and the rules for them."""
