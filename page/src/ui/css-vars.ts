/**
 * Sets CSS custom properties of an element through its style object.
 *
 * A `style` attribute is forbidden by the content policy, and so is Lit's `styleMap`,
 * which writes one on the first render.
 */
import { noChange } from "lit";
import { Directive, directive, PartType, type ElementPart, type PartInfo } from "lit/directive.js";

class CssVars extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("cssVars belongs into a tag, not into an attribute");
  }

  override render(_vars: Readonly<Record<string, string>>): unknown {
    return noChange;
  }

  override update(part: ElementPart, [vars]: [Readonly<Record<string, string>>]): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(vars)) style.setProperty(name, value);
    return noChange;
  }
}

export const cssVars = directive(CssVars);
