"""An example: a page with a table and a sentence, some of whose figures are wrong."""

from __future__ import annotations

EXAMPLE = """\
# Crossing the ford

Roll four dice and add them up.

<!-- astragal
Chance = 4d6 == {Total}
This or higher = 4d6 >= {Total}
-->
| Total  | Chance | This or higher |
|--------|-------:|---------------:|
| 12     |  9.65% |         76.08% |
| 13     | 10.80% |         66.44% |
| **14** | 11.72% |         55.63% |
| 15     | 10.80% |         33.56% |

Whoever has to reach 14 gets across in <!-- astragal: 4d6 >= 14 --> 56% of all attempts, and whoever has to beat it in
about <!-- astragal: 4d6 > 14 --> **56%**.
"""
