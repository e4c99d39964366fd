/** The German of what is around a table: its story, its menu, its people, its big screen, and the page as an app. */
export const around = {
  "story.back": "Zum Tisch",
  "story.print": "Drucken",
  "story.file": "Als Text speichern",
  "story.empty": "Noch ist nichts geschehen. Würfelt, und die Geschichte beginnt hier.",
  "invite.help": "Schick den Link, oder lass einen Code abtippen oder scannen. Wer den Link hat, kann sich setzen.",
  "invite.link": "Link für die Runde",
  "invite.qr": "QR-Code",
  "invite.qrAlt": "Der Link für die Runde als QR-Code",
  "invite.codeShow": "Code zeigen",
  "invite.codeHide": "Code verbergen",
  "invite.codeAt": "Auf {address} eintippen:",
  "invite.codeHelp": "Er gilt, solange er hier steht. Wer ihn eintippt, klopft an, und du öffnest.",
  "invite.screen": "Großer Bildschirm",

  "knock.title": "An der Tür",
  "knock.is": "{name} klopft an.",
  "knock.in": "Hereinlassen",
  "knock.watch": "Zum Zuschauen",
  "knock.no": "Nein",

  "seatCode.title": "Anderes Gerät",
  "seatCode.help": "Öffne auf dem anderen Gerät {address} und tipp diesen Code ein. Dann ist der Platz auch dort.",
  "seatCode.once": "Er gilt einmal, {n, plural, one {1 Minute} other {# Minuten}} lang. Zeig ihn sonst niemandem.",
  "seatCode.mine": "Auf einem anderen Gerät spielen",
  "seatCode.theirs": "Code für ein anderes Gerät",

  "people.invite": "Einladen",
  "people.here": "Da",
  "people.away": "Nicht da",
  "people.plays": "spielt {names}",
  "people.nobody": "Noch ist sonst niemand da.",
  "people.links": "Alle Links",
  "people.settings": "Regeln an diesem Tisch",

  "menu.table": "Dieser Tisch",
  "menu.device": "Auf diesem Gerät",
  sound: "Ton",
  "sound.off": "aus",

  "app.install": "Als App installieren",
  "app.notify": "Benachrichtigen, wenn ich würfeln soll",
  "app.notifies": "Du wirst benachrichtigt, wenn du würfeln sollst.",
  "app.denied": "Benachrichtigungen sind in den Einstellungen des Browsers für diese Seite gesperrt.",
  "app.insecure":
    "Installieren, Benachrichtigungen und Lesen ohne Netz brauchen https. Dieser Tisch ist über einfaches http offen, darum lässt dein Browser sie weg.",
  "app.offline": "Kein Netz. Du liest, was zuletzt hier stand; nichts wird gesendet.",
} as const;
