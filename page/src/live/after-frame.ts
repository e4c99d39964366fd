/** Work that may wait until the next frame is on the screen. */

/** A page that is not looked at draws no frames. */
const LONGEST_MS = 300;

export function afterFrame(work: () => void): void {
  let done = false;
  const once = (): void => {
    if (!done) work();
    done = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, LONGEST_MS);
}
