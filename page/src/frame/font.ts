/** The font of what happens at the table. It comes after the first paint, so that nobody waits for it. */

import address from "../style/alegreya.woff2?url";

export function loadBookFont(): void {
  const font = new FontFace("Alegreya Astragal", `url(${address})`, { weight: "500 800", display: "swap" });
  // Two frames later something has been drawn.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      // Without the font the next serif of the list serves.
      font.load().then(
        (loaded) => document.fonts.add(loaded),
        () => undefined,
      );
    }),
  );
}
