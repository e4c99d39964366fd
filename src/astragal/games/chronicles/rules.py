"""Chronicles' rules by number, in our own words. A sentence that begins with "Ruling:" settles what the game leaves open."""

RULES = {
    "CD-1": "The pool is Attribute + Skill, and one die more with a fitting Specialty; a task that needs no Skill takes "
    "two different Attributes, with no penalty and no Specialty. Modifiers are added before any die is rolled, "
    "bonuses first, then penalties.",
    "CD-2": "Circumstances mostly lie within 3 dice either way and never beyond 5; equipment gives 1 to 3, the best 4 "
    "or 5. A single modifier beyond 5 is refused unless the Storyteller allows it, at a table from the "
    "Storyteller's own seat. The Storyteller may name equipment that a task needs: without equipment of that "
    "name it cannot be tried, and its dice say how good it is. What several people put in is added up.",
    "CD-3": "Without a dot in the Skill, and if the Storyteller allows it, the Attribute stands alone: 3 dice fewer "
    "for a Mental Skill, 1 fewer for a Physical or Social one. Ruling: it is allowed until the Storyteller "
    "says of a roll, from their own seat, or of the whole table that it takes dots; then helpers need them "
    "too.",
    "CD-4": "A pool below 1 becomes a single chance die.",
    "CD-5": "Every 8, 9 or 10 is a success. A 10 is rolled again, and again while 10s come, each 8 or more counting.",
    "CD-6": "With 9-again, 9s and 10s are rolled again; with 8-again, 8s too; a roll may also have no again.",
    "CD-7": "In a rote action each die of the first throw that failed is rolled once more, and goes again as usual. "
    "Ruling: dice earned by again are not given that second chance. Rote, 9-again, 8-again and typed extra "
    "successes are the Storyteller's to grant; a player may claim them.",
    "CD-8": "On a chance die 10 succeeds, 1 is a dramatic failure, all else fails. Ruling: its 10 is not rolled again; "
    "in a rote action a 2 to 9 is rolled once more and a 1 is not.",
    "CD-9": "Extra successes are added only if the roll has one of its own. Mostly they are a weapon's: a thing on the "
    "sheet may bring them beside dice or instead of any. Ruling: in an extended action they are added to every "
    "roll that has one.",
    "CD-10": "After every roll the Storyteller is asked what happens; the answer may be left out, and nobody waits for "
    "it. Dramatic failure: a 1 on the chance die, or a plain failure that the player makes dramatic for a "
    "Beat. Failure: no success. Success: 1 to 4. Exceptional: 5 or more rolled, and the character gains a "
    "Condition, Inspired unless another is named; if it is there already, the player is asked for another "
    "one. Everybody who rolls and has no success may take a Beat for their own character: leader, helper, "
    "either side of a contest, each roll of an extended action. In a contest to fail is to roll no success, "
    "not to lose. Ruling: extra successes do not make a roll exceptional.",
    "CD-11": "Trying again costs nothing with time and no pressure; under pressure each earlier try takes one die. "
    "Extended actions are never penalised so.",
    "CD-12": "Helpers roll first, in any order: the Attribute and Skill of the action from their own sheets, with "
    "their own Specialty, equipment and Willpower. Each success that they roll gives the leader a die; a "
    "dramatic failure, by a chance die or for a Beat, takes 4, for each such helper. Without sheets, one "
    "number stands for all of them, or each has a pool by name. There are helpers in every kind of roll, on "
    "either side of a contest. Ruling: helpers' dice go again, and are rote, as the leader's are; what the "
    "scene gives or takes counts for helpers too, and no extra successes do; the dice that they give or take "
    "may be more than 5. Odds take every helper's own pool, and a policy for their Beats.",
    "CD-13": "An extended action gathers successes up to a target in at most Attribute + Skill + Specialty rolls. "
    "Their number is fixed when it begins; the pool of each roll is built when it is rolled, so modifiers, "
    "helpers and the sheet may change from roll to roll, over several scenes. It shows total, target and "
    "rolls left; a dramatic roll does not end it, and it can be given up at any time, with what was gathered "
    "kept in the log. In a contested action both sides roll, more successes win and equal is a draw. All "
    "rules for a roll hold for each of these, except that earlier tries never count in an extended action. "
    "Ruling: with a bare pool, it stands for Attribute + Skill + Specialty; a task that is rolled in one go "
    "has the same pool in every roll.",
    "CD-14": "A character has nine Attributes, three each Mental (Intelligence, Wits, Resolve), Physical (Strength, "
    "Dexterity, Stamina) and Social (Presence, Manipulation, Composure); Skills in the same three groups, 0 "
    "to 5 dots each; Specialties, Conditions, Beats and Willpower. A point of Willpower is 3 dice, taken "
    "before the roll. A Condition is a sentence and dice, perhaps none; it can be put into a roll, and is not "
    "gained twice. Ruling: one point a roll.",
    "CD-15": "Since again has no limit, neither have the successes. The odds are exact all the same: every count has its "
    "fraction, what lies beyond a count is 1 less those up to it, and no chain of rerolls is cut off.",
}
