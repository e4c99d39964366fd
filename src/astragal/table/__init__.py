"""The table: a campaign as a log. Actions are decided into events, events are folded into a state, seats see a view."""
