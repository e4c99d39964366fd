"""The names of ``astragal``: type checkers read them here, and ``__init__.py`` finds their modules here."""

from astragal.dice.distribution import Distribution as Distribution
from astragal.errors import Forbidden as Forbidden
from astragal.errors import Illegal as Illegal
from astragal.errors import Malformed as Malformed
from astragal.errors import Refusal as Refusal
from astragal.errors import Stale as Stale
from astragal.errors import Unavailable as Unavailable
from astragal.errors import Unknown as Unknown
from astragal.explain.report import explain as explain
from astragal.explain.report import report as report
from astragal.games.registry import all_games as all_games
from astragal.games.registry import game as game
from astragal.library import odds as odds
from astragal.library import play as play
from astragal.library import roll as roll
from astragal.rule.chances.advise import advise as advise
from astragal.rule.chances.odds import all_odds as all_odds
from astragal.rule.game import Game as Game
from astragal.rule.inputs.ask import Ask as Ask
from astragal.rule.inputs.total import total as total
from astragal.rule.tree.node import Choice as Choice
from astragal.rule.tree.node import Outcome as Outcome
from astragal.rule.tree.node import Throw as Throw
from astragal.rule.tree.play import Hand as Hand
from astragal.rule.tree.play import Logged as Logged
from astragal.rule.tree.play import Played as Played
from astragal.rule.tree.play import Rolled as Rolled
from astragal.rule.typed import Typed as Typed
from astragal.table.log.sample import play_sample as play_sample

__all__: list[str]
__version__: str

def names_in(stub: str) -> dict[str, str]: ...
