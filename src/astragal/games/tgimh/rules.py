"""TGIMH's rules by number, in our own words. A sentence that begins with "Ruling:" settles what the game leaves open."""

RULES = {
    "TG-1": "Two sides each roll a pool of dice of one size, d10 unless the table says otherwise. Ruling: both pools are "
    "thrown at once, or each side throws its own, the one who began first; that changes no chance.",
    "TG-2": "A pool is gathered from named sources: own Aspects and Conditions, those of the opponent that work against "
    "them, Gear, which helps or hinders by the scene, so that its sign is chosen when it is put in, mostly within 3 dice "
    "either way, and an Ability of one's culture, which costs no Will. Ruling: a pool of 0 or less rolls no dice; it "
    "loses to any dice by 1 success, and two such pools are a stalemate. First of all a roll decides the story: it can "
    "say what is at stake, and its result names the characters.",
    "TG-3": "Each side's dice are lined up from high to low. While the highest two left are equal they are set aside; "
    "then the side with the higher die wins.",
    "TG-4": "The winner's successes are its remaining dice that beat the loser's highest remaining die.",
    "TG-5": "If one side runs out while every pair was equal, the side with more dice wins with exactly 1 success. The "
    "very same faces on as many dice are a stalemate, and the GM shifts the situation.",
    "TG-6": "Each Aspect or Condition that gives dice costs its user 1 Will; with too little Will nothing is spent. "
    "Gear and Abilities cost none.",
    "TG-7": "Whose Aspect is used against them gains 1 Will, and the user pays as ever. Ruling: Conditions and Injuries "
    "so used give nobody Will, and what is gained is there from the next roll on.",
    "TG-8": "A character starts with 9 Will unless the sheet says otherwise. A table may let Will rise above its start, "
    "or stop it there; then a use against somebody with full Will gives nothing, which the log says, and the user still "
    "pays, unless the table makes it free.",
    "TG-9": "The winner may turn the successes into a Condition of the setting, the scene or the situation: a name and "
    "that many dice. Anyone may use it, for 1 Will.",
    "TG-10": "The loser crosses the box of the Power track whose number is the winner's successes, or takes an Injury "
    "with that many dice instead, and names it.",
    "TG-11": "If that box is crossed already, the next free one above is crossed, and an Injury with as many dice as "
    "the number of that box comes with it. Ruling: then there is no choice. Successes beyond the track mean its last "
    "box; with no free box left from there up, the character is out.",
    "TG-12": "Once the last box is crossed, the character is out of the scene and does not roll in it unless the GM says "
    "so; without a scene, until the next one opens. A track has 5 boxes unless its sheet says otherwise.",
    "TG-13": "A Condition stays until the story ends it, a Recovery wears it down or a Refreshment clears it. It outlives "
    "its scene, and needs none: closing a scene asks which end with it, none unless they are named, and each end is a "
    "line in the log. Ruling: a Condition is transient unless its sheet says otherwise.",
    "TG-14": "Recovery is a pool against the Condition's own dice; each success takes a die off it, and at 0 it is "
    "gone. A Condition has no Power track, so nothing else happens to it. Ruling: a lost Recovery changes nothing, and "
    "neither does a stalemate.",
    "TG-15": "A Refreshment comes between scenes, never inside one, and with another character, who may be somebody "
    "without a sheet. It clears the Power track, and the character's Injuries and Conditions unless they are lasting; "
    "each has a box, and so have the scene's. It brings Will up to its start and never down to it, and gives the GM an "
    "opening. Ruling: it refreshes the one who asks for it; the other is company.",
    "TG-16": "Ruling, a house rule: a Condition becomes an Aspect with the same dice for as many Advances as it has dice.",
    "TG-17": "A dramatic Key gives 1 XP when its issue is in the scene, 2 for a real challenge around it and 5 when it "
    "moves on; a motivation 1 when it shows and 3 when it is followed at a risk or cost. Either is bought off for 10 XP, "
    "and is gone; a dramatic one for the whole table, so that others who hold it lose it without XP.",
    "TG-18": "Every 5 XP is an Advance, to be spent at once or saved. Ruling: XP turn into Advances by themselves.",
    "TG-19": "One die more or less on an Aspect or Ability costs as many Advances as it has dice. A new Aspect of 1 die, a "
    "new Key, and a move of a 1-die Aspect to the Backgrounds or back cost 1 each. Ruling: nothing is lowered below 1 die.",
    "TG-20": "What has no price of its own costs 1 Advance for each die. With too few Advances nothing is spent.",
}
