/** The English of what is around a table: its story, its menu, its people, its big screen, and the page as an app. */
export const around = {
  "story.back": "To the table",
  "story.print": "Print",
  "story.file": "Save as text",
  "story.empty": "Nothing has happened yet. Roll some dice, and the story begins here.",
} as const;
