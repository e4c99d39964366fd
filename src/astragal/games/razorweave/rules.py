"""Razorweave's rules by number, in our own words. A sentence that begins with "Ruling:" settles what the game leaves open."""

RULES = {
    "RW-1": "A Check goes step by step: intent and approach; is it needed (the outcome is open, failing matters, and the "
    "character can affect it, all three; otherwise nothing is rolled and the answer is yes or no); DC; Edge or Burden; "
    "the roll; margin and tier; the story. Every step may be left blank.",
    "RW-2": "DCs: 12 Easy, 14 Routine, 16 Tough, 18 Hard, 20 Heroic, 22 Legendary. Any whole DC is allowed and shown "
    "with the name of the nearest. Ruling: halfway between two, the easier name.",
    "RW-3": "What is true of the scene for anyone moves the DC along the ladder; what is true of this character gives "
    "Edge or Burden. Ruling: one step is 2, and the ladder's ends stop it.",
    "RW-4": "Every source of Edge is +1 and every source of Burden is -1; the sum is capped at 2 either way. With Edge, "
    "one or two more d6s are thrown and the best 4 kept; with Burden, the worst 4.",
    "RW-5": "Result = the dice kept + Attribute + 1 with a fitting Skill, never more + other bonuses. The margin is the "
    "result less the DC.",
    "RW-6": "Tier by margin: 5 or more critical success, 0 to 4 full success, -1 or -2 partial success, -3 to -6 "
    "failure, -7 or less critical failure.",
    "RW-7": "If every die thrown shows a 1, before any is dropped, it is a critical failure whatever the margin.",
    "RW-8": "A Strike is a Check whose tier ticks the target's Resolve Clock: devastating 3, clear 2, glancing 1, miss "
    "and disastrous miss 0.",
    "RW-9": "Devastating: the attacker chooses a Condition, position for the next action, or denies the next reaction. "
    "Clear: nothing more. Glancing: the GM ticks a threat Clock or gives the target position. Miss: the GM takes one of "
    "a threat tick, position for the target, trouble from the surroundings. Disastrous miss: two of these, or one major "
    "consequence. Ruling: position is Edge for its holder or Burden for whoever acts against them, once.",
    "RW-10": "A Clock has a name, segments (4, 6 and 8 are usual, 1 to 24 are allowed) and a kind: goal, threat or Resolve. "
    "Ticks never pass its end and never go below 0, and when it is full the table is told once.",
    "RW-11": "Two Clocks may race, and the one that is full first decides. Checks tick a goal on a success; partial "
    "successes and failures may tick a threat. Ruling: unless said otherwise, the five tiers tick the goal by 3, 2, 1, 0, 0 "
    "and the threat by 0, 0, 1, 1, 2; both full in the same round is neither's win. A Strike that names Clocks ticks the "
    "goal by tier; what threatens is left to RW-9.",
    "RW-12": "A credible helper is one more source of Edge. A group may be represented by one roll, or split the risk: "
    "several roll, and all results are shown side by side.",
    "RW-13": "Trying again needs something to have changed, and it has to be said what.",
    "RW-14": "The oracle starts at DC 14 and throws a d6 for each question: 1 or 2 no, 3 or 4 mixed, 5 or 6 yes. For a "
    "question that helps, yes is -2 and no is +2; for one that hinders, the other way round; mixed, or already counted, "
    "changes nothing. Ruling: the DC is held within 12 and 22 after every answer.",
    "RW-15": "A character has four Attributes (Might, Agility, Presence, Reason), Skills that are there or not, "
    "Proficiencies, Conditions and a Resolve Clock; a scene has Tags. Tags, Conditions and Proficiencies can be named as "
    "sources of Edge or of Burden.",
}
