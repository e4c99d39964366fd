/** The German of what is around a table: its story, its menu, its people, its big screen, and the page as an app. */
export const around = {
  "story.back": "Zum Tisch",
  "story.print": "Drucken",
  "story.file": "Als Text speichern",
  "story.empty": "Noch ist nichts geschehen. Würfelt, und die Geschichte beginnt hier.",
} as const;
