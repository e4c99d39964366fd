/** An input has got these texts; none means that nothing is said about it. */
export class Given extends Event {
  constructor(readonly texts: readonly string[]) {
    super("given");
  }
}
