"""A group around a table: Mira runs it, Jonas and Ada play. Who is not asked for does not come."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

from playwright.sync_api import Browser, expect

from tests.page.chromium import context
from tests.page.place import Place
from tests.page.screen import Screen
from tests.page.seat import Seat
from tests.page.server import Server


class Group:
    """Mira made a table; the others sit down by its link when they are first needed. One may be on a phone.

    With ``alone``, nobody but her belongs to everybody.
    """

    def __init__(
        self,
        browser: Browser,
        server: Server,
        game: str,
        phone: str = "",
        *,
        still: bool = True,
        alone: bool = False,
        **more: Any,
    ) -> None:
        self._browser, self._server, self._phone, self._still, self._more = browser, server, phone, still, more
        self._seats: list[Seat] = []
        self._players = () if alone else ("Jonas", "Ada")
        self.gm = self._comes("Mira")
        games = self.gm.calls("GET", "/api/games")["games"]
        name = next(each["name"] for each in games if each["title"] == game)
        about = {"game": name, "title": f"The {game} evening", "name": "Mira"}
        made = self.gm.calls("POST", "/api/tables", about)
        self._table, self.link = made["table"], server.address + made["links"]["player"]
        self._opens(self.gm)
        self.gm.is_seated()

    @property
    def jonas(self) -> Seat:
        return self._seat("Jonas")

    @property
    def ada(self) -> Seat:
        return self._seat("Ada")

    def _seat(self, name: str) -> Seat:
        return next((seat for seat in self._seats if seat.name == name), None) or self.joins(name)

    def joins(self, name: str) -> Seat:
        """Somebody takes a seat by the players' link."""
        seat = self._sits_down(name)
        seat.is_seated()
        return seat

    @cached_property
    def screen(self) -> Screen:
        """The television, switched on when somebody first looks at it."""
        return Screen(self._browser, self._server.address, self.link, still=self._still)

    @property
    def everybody(self) -> list[Seat]:
        """Mira, the players, and whoever came later."""
        there = {seat.name: seat for seat in self._seats}
        new = [self._sits_down(name) for name in self._players if name not in there]
        for seat in new:
            seat.is_seated()
        first = [self.gm, *map(self._seat, self._players)]
        return [*first, *(seat for seat in self._seats if seat not in first)]

    @property
    def troubles(self) -> list[str]:
        return [trouble for place in self._places for trouble in place.troubles]

    @property
    def _places(self) -> list[Place]:
        return [*self._seats, *([self.screen] if "screen" in vars(self) else [])]

    def leave(self) -> None:
        for place in self._places:
            place.page.context.close()

    def all_see(self, *texts: str | tuple[str, ...]) -> None:
        """All who came find it in the log; texts in brackets are on one card."""
        for seat in self._seats:
            for text in texts:
                seat.sees(*([text] if isinstance(text, str) else text))

    def fill_clock_and_take_it_back(self, clock: str, segments: int) -> None:
        """The GM taps a Clock until it is full; everybody is told. Undo takes the last tick back, everywhere."""
        for done in range(1, segments + 1):
            self.gm.ticks(clock)
            expect(self.gm.clock(clock)).to_contain_text(f"{done} of {segments}")
        self.all_see(f"The Clock {clock} is full!")
        self.gm.press(self.gm.button("Undo the last action"))
        for seat in self._seats:
            seat.sees_undone(f"The Clock {clock} is full!")
            expect(seat.clock(clock)).to_contain_text(f"{segments - 1} of {segments}")

    def _comes(self, name: str) -> Seat:
        phone = name == self._phone
        page = context(self._browser, phone=phone, still=self._still, **self._more).new_page()
        self._seats.append(Seat(page, name, self._server.address, phone=phone))
        return self._seats[-1]

    def _sits_down(self, name: str) -> Seat:
        """Past the form, which has tests of its own."""
        seat = self._comes(name)
        token = self.link.partition("#")[2]
        seat.calls("POST", f"/api/tables/{self._table}/seat", {"token": token, "name": name})
        self._opens(seat)
        return seat

    def _opens(self, seat: Seat) -> None:
        """The pages of a group load at the same time."""
        seat.page.goto(f"{self._server.address}/t/{self._table}", wait_until="commit")


Gather: TypeAlias = Callable[..., Group]
"""What a test calls to have a group around a table of some game."""
