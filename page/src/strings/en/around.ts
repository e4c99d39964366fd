/** The English of what is around a table: its story, its menu, its people, its big screen, and the page as an app. */
export const around = {
  "story.back": "To the table",
  "story.print": "Print",
  "story.file": "Save as text",
  "story.empty": "Nothing has happened yet. Roll some dice, and the story begins here.",
  "invite.help": "Send the link, or let people scan or type a code. Whoever has the link can sit down.",
  "invite.link": "Link for players",
  "invite.qr": "QR code",
  "invite.qrAlt": "The players’ link as a QR code",
  "invite.codeShow": "Show a code",
  "invite.codeHide": "Hide the code",
  "invite.codeAt": "At {address}, type",
  "invite.codeHelp": "It works while it is shown here. Whoever types it knocks, and you let them in.",
  "invite.screen": "Big screen",

  "knock.title": "At the door",
  "knock.is": "{name} knocks.",
  "knock.in": "Let in",
  "knock.watch": "To watch",
  "knock.no": "No",

  "seatCode.title": "Another device",
  "seatCode.help": "On the other device, open {address} and type this code. The seat is then there, too.",
  "seatCode.once": "It works once, for {n, plural, one {1 minute} other {# minutes}}. Show it to nobody else.",
  "seatCode.mine": "Play on another device",
  "seatCode.theirs": "Code for another device",

  "people.invite": "Invite",
  "people.here": "Here",
  "people.away": "Away",
  "people.plays": "plays {names}",
  "people.nobody": "Nobody else is here yet.",
  "people.links": "All links",
  "people.settings": "Rules of this table",

  "menu.table": "This table",
  "menu.device": "On this device",
  sound: "Sound",
  "sound.off": "off",

  "app.install": "Install as an app",
  "app.notify": "Notify me when I am asked to roll",
  "app.notifies": "You are notified when you are asked to roll.",
  "app.denied": "Notifications are blocked in the browser’s settings for this site.",
  "app.insecure":
    "Installing, notifications and reading offline need https. This table is open over plain http, so your browser leaves them out.",
  "app.offline": "No network. You read what was here last; nothing is sent.",
} as const;
