"""Entries as sentences and files: lines, story, luck, export, import."""
