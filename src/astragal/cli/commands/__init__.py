"""The commands: one module each, loaded when it is called."""
