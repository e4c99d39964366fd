"""Narraject's rules by number, in our own words. A sentence that begins with "Ruling:" settles what the game leaves open."""

RULES = {
    "NJ-1": "There are two editions: marks (the newer, used unless another is named) and hits. They differ in what "
    "counts and in the word for it, and in nothing else.",
    "NJ-2": "A pool is some d6s and exactly one Step Die. The d6s are gathered from named sources: points spent from "
    "a stat, a specialty's dice, gear, circumstances, helpers; the roll shows what each gives. Ruling: d6s of any "
    "source will do, so helpers alone are enough; with none at all the Step Die is rolled alone, and is neither highest "
    "nor lowest.",
    "NJ-3": "The Step Die comes from the Focus or specialty that fits: d6 untrained, d8 trained, d10 expert, d12 "
    "master. If several fit, only the highest is rolled, and it is the approach, which the roll names; if none does, a "
    "d6. Ruling: a roll takes one Focus and one specialty at the most. The specialty gives its d6s, the higher of the "
    "two the Step Die; the player chooses which specialty fits, and choosing another replaces the first.",
    "NJ-4": "In the marks edition a die counts when it shows 5 or more; in the hits edition only when it shows exactly "
    "5 or 6. The Step Die counts by the same measure. Ruling: the hits edition says 5 or more in one place, but its "
    "table and examples say 5 or 6, and they are followed.",
    "NJ-5": "A helper offers from their own seat and sheet, spends 1 point of a fitting stat and adds 1d6; helpers add "
    "two d6s at the most. Only the roller's Step Die is read. A third helper is refused when they offer, before "
    "anything is spent.",
    "NJ-6": "Points are spent only if they are there; if a stat has too few, nothing is spent.",
    "NJ-7": "The roll succeeds when the Marks reach the Difficulty, a whole number from 0 up. Difficulty 0 always "
    "succeeds.",
    "NJ-8": "Success by margin: 0 is a success, 1 or 2 over is solid, 3 or 4 over is strong, and the GM describes what "
    "else it brings, 5 or more over is a triumph, which the player narrates. Whoever is to describe, the GM if nobody else, "
    "is asked for words and may leave them out; they stand with the roll.",
    "NJ-9": "Failure by margin: with no Marks at all it is catastrophic and the GM gets a free complication, however "
    "many are missing; 1 or 2 short is a near miss; 3 or more short is a clear failure. On a near miss the GM may offer "
    "a partial success at a cost, in words, and the player accepts or declines. Accepting costs no IP and settles the "
    "roll; what the Step Die shows still counts. The offer lapses when the dice change. After a refusal the GM may "
    "offer something else. It may also be made after the roll is settled, until that character rolls again. The GM is "
    "asked what the failure looks like.",
    "NJ-10": "A Step Die higher than every d6 is highest, as yourself: the player gains 1 IP, whether the roll succeeds "
    "or not, and is asked how the trait mattered. Lower than every d6 it is lowest, despite yourself: the GM gains 1 IP "
    "and may describe something unexpected. A tie is neither, and no IP moves.",
    "NJ-11": "A Step Die that shows 1 or 2 gives the GM a free complication, whatever else happened, and no IP.",
    "NJ-12": "All of this can hold at once: a catastrophe's complication and the Step Die's are two. What cannot be: a "
    "success at Difficulty 1 or more whose Step Die is highest and shows 1 or 2.",
    "NJ-13": "Until the player settles the roll, IP held can be spent: 1 to reroll the Step Die, 2 to roll one more "
    "d6 into the pool, 3 to turn a failure into a partial success with a complication, which settles the roll. "
    "All but that can be done again while IP last. Ruling: IP and complications are settled once, on the final dice; IP "
    "earned by a roll cannot be spent on it; a d6 that was bought counts like any other of the pool, also for highest and "
    "lowest; a partial success takes the place of the failure's degree, so a catastrophe's complication gives way to its own. "
    "What counts is what is held when it is spent: IP that came since the throw may be spent, IP that went elsewhere "
    "may not, and what was spent on this roll stays spent. At a table the sheet says how many are held. "
    "An option that cannot change whether the roll succeeds says so before it is paid for.",
    "NJ-14": "Spending IP that are not there is refused, and nothing changes.",
    "NJ-15": "Every player holds IP, and the GMs have one purse between them; every stat has a Reserve with the points "
    "it has now and the points it has when full. A player starts with 2 IP and the GM with 2 for each player, without a "
    "cap, unless the table says otherwise. Nothing falls below 0, and each change says where it comes from. Ruling: "
    "when the GM rolls for a character of their own, highest pays the purse and lowest nobody, spends come from the "
    "purse, and complications are owed to nobody.",
}
