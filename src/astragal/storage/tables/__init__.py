"""Tables in a store: created, opened, acted on, imported and exported, the same for the server and the command line."""
