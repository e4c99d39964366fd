"""TGIMH's rules by number, in our own words. A sentence that begins with "Ruling:" settles what the game leaves open."""

RULES = {
    "TG-1": "Two sides each roll a pool of dice of one size, d10 unless the table says otherwise.",
    "TG-2": "A pool is gathered from named sources: own Aspects and Conditions, those of the opponent that work against "
    "them, Gear, mostly within 3 dice either way, and an Ability of one's culture. Ruling: a pool of 0 or less rolls no "
    "dice; it loses to any dice by 1 success, and two such pools are a stalemate.",
    "TG-3": "Each side's dice are lined up from high to low. While the highest two left are equal they are set aside; "
    "then the side with the higher die wins.",
    "TG-4": "The winner's successes are its remaining dice that beat the loser's highest remaining die.",
    "TG-5": "If one side runs out while every pair was equal, the side with more dice wins with exactly 1 success. The "
    "very same faces on as many dice are a stalemate, and the GM shifts the situation.",
    "TG-6": "Each Aspect or Condition that gives dice costs its user 1 Will; with too little Will nothing is spent. "
    "Gear and Abilities cost none.",
    "TG-9": "The winner may turn the successes into a Condition of the scene: a name and that many dice.",
    "TG-10": "The loser crosses the box of the Power track whose number is the winner's successes, or takes an Injury "
    "with that many dice instead.",
    "TG-11": "If that box is crossed already, the next free one above is crossed, and an Injury with as many dice as "
    "the number of that box comes with it. Ruling: successes beyond the track mean its last box; with no free box left "
    "from there up, the character is out.",
    "TG-12": "Once the last box is crossed, the character is out of the scene. A track has 5 boxes unless its sheet "
    "says otherwise.",
    "TG-14": "Recovery is a pool against the Condition's own dice; each success takes a die off it, and at 0 it is "
    "gone. Ruling: a lost Recovery changes nothing.",
}
