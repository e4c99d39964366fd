"""Razorweave's rules by number, in our own words. A sentence that begins with "Ruling:" settles what the game leaves open."""

RULES = {
    "RW-1": "A Check goes step by step: intent and approach; is it needed (the outcome is open, failing matters, and the "
    "character can affect it, all three; otherwise nothing is rolled and the answer is yes or no); DC; Edge or "
    "Burden; the roll; margin and tier; the story. Every step may be left blank. Where no Check is needed, nobody is "
    "asked for a DC, nothing is rolled, and the GM answers yes or no, with words if they like. DC and circumstances are "
    "the GM's: what a GM has set, only a GM changes; the GM is asked to tell what happens. Intent, approach and "
    "those words stand with the roll in log and story.",
    "RW-2": "DCs: 12 Easy, 14 Routine, 16 Tough, 18 Hard, 20 Heroic, 22 Legendary. Any whole DC is allowed and shown "
    "with the name of the nearest. Ruling: halfway between two, the easier name.",
    "RW-3": "What is true of the scene for anyone moves the DC along the ladder; what is true of this character gives "
    "Edge or Burden. A Tag says which it is: harder or easier by so many steps, Edge or Burden of 1 or 2, or "
    "colour only. Ruling: one step is 2, and the ladder's ends stop it; the GM decides about each Tag once, and "
    "until then whoever uses it does.",
    "RW-4": "Every source of Edge or Burden is worth 1, a great one 2; they are added up and capped at 2 either way, and "
    "the roll says what the cap cut off. With Edge, one or two more d6s are thrown and the best 4 kept; with "
    "Burden, the worst 4.",
    "RW-5": "Result = the dice kept + Attribute + 1 with a fitting Skill, never more + other bonuses. The margin is the "
    "result less the DC.",
    "RW-6": "Tier by margin: 5 or more critical success, 0 to 4 full success, -1 or -2 partial success, -3 to -6 "
    "failure, -7 or less critical failure.",
    "RW-7": "If every die thrown shows a 1, before any is dropped, it is a critical failure whatever the margin.",
    "RW-8": "A Strike is a Check whose tier ticks the target's Resolve Clock: devastating 3, clear 2, glancing 1, miss "
    "and disastrous miss 0. The ticks happen when the dice have fallen; only what RW-9 adds waits for a choice.",
    "RW-9": "Devastating: the attacker chooses a Condition, position for the next action, or denies the next reaction. "
    "Clear: nothing more. Glancing: the GM ticks a threat Clock or gives the target position. Miss: the GM takes "
    "one of a threat tick, position for the target, trouble from the surroundings. Disastrous miss: two of these, "
    "or one major consequence. Whoever's Resolve is full is down, which is told by name, and a further Strike at "
    "them needs a reason in words; so does a Strike of theirs. Ruling: position is Edge for its holder or Burden for whoever acts against "
    "them, once.",
    "RW-10": "A Clock has a name, segments (4, 6 and 8 are usual, 1 to 24 are allowed) and a kind: goal, threat or Resolve. "
    "Ticks never pass its end and never go below 0, and when it is full the table is told once.",
    "RW-11": "Two Clocks may race, and the one that is full first decides. Checks tick a goal on a success; partial "
    "successes and failures may tick a threat. Ruling: unless said otherwise, the five tiers tick the goal by 3, 2, 1, 0, 0 "
    "and the threat by 0, 0, 1, 1, 2; both full in the same round is neither's win. A Strike that names Clocks ticks the "
    "goal by tier; what threatens is left to RW-9.",
    "RW-12": "A credible helper, who offers from their own seat, is one more source of Edge, or +1 if the GM says so. "
    "A Set Up gives somebody, by name, Edge on their next action, which uses it up. A group may be represented by one roll, or split the risk: "
    "several roll, each with their own Attribute, Skill, Edge and Burden, and all results are shown side by side. "
    "Ruling: a Check sets up with a full success, and greatly (2) with a critical one.",
    "RW-13": "Trying the same again in a scene needs something to have changed, and it has to be said what; whether it is "
    "the same goes by the character and the intent, without regard to case, spacing, articles and words such as this or "
    "my.",
    "RW-14": "The oracle starts at DC 14 and throws a d6 for each question: 1 or 2 no, 3 or 4 mixed, 5 or 6 yes. For a "
    "question that helps, yes is -2 and no is +2; for one that hinders, the other way round; mixed, or already "
    "counted, changes nothing. The DC is held within 12 and 22 once, after all answers, so that their order never "
    "matters. It asks about ideal conditions, preparation or advantages, and strong opposition, which hinders; own "
    "questions say whether they help or hinder. They may be asked at once or one after the other: answers add up until a "
    "Check uses their DC or the player starts over. That something is already counted may be said before or after the "
    "die. Ruling: after it, until that character's next roll; each character has an oracle of their own.",
    "RW-15": "A character has four Attributes (Might, Agility, Presence, Reason), Skills that are there or not, "
    "Proficiencies, Conditions and a Resolve Clock; a scene has Tags. Tags, Conditions and Proficiencies can be "
    "named as sources, and know whether they help or hinder and how much. Ruling: what is Burden to whoever has "
    "it is Edge to whoever acts against them, and the reverse.",
}
