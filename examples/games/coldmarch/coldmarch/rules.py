"""Cold March's rules by number."""

RULES = {
    "CM-1": "Roll a d6 for each point of an Attribute, of a Skill, and of the Gear that helps: three kinds of dice.",
    "CM-2": "Every 6 is a success. The GM says how many are needed; one is usual.",
    "CM-3": "You may push once: every die that shows neither 1 nor 6 is rolled again. 1s and 6s stay as they lie.",
    "CM-4": "A pushed roll costs: every 1 on an Attribute's die is a point of Frost, in all 10 at most.",
    "CM-5": "A pushed roll also wears: every 1 on a die of Gear takes a point of that Gear, down to nothing.",
    "CM-6": "A character has four Attributes from 1 to 5, Skills from 0 to 5, and Gear with up to 3 dice a piece.",
    "CM-7": "By a fire a character loses 2 Frost. Somebody without Frost needs no fire.",
}
