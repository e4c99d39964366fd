"""The same questions put to icepool, dyce and lea, each used at its best.

"At its best" means: the cheapest way found to state the question such that the library
does all of the counting. No count is made or taken away by hand, or the closed forms
would be measured against themselves. No version of a question is kept that another
one beats at every size.
"""
