"""The desk: tables out of a store. Here what is decided meets what is kept."""
