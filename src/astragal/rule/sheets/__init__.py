"""What a table keeps between rolls: sheets, decks, tables of entries, and what a game does with them."""
