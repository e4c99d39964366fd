/** Styles that the lab's elements share. Colours come from the page's theme. */
import { css } from "lit";

export const controls = css`
  :host {
    display: block;
    color: var(--ink, CanvasText);
  }
  * {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--accent, Highlight);
    outline-offset: 2px;
  }
  button,
  select,
  input[type="text"] {
    min-height: 44px;
    border: 1px solid var(--line, GrayText);
    border-radius: 0.5rem;
    background: var(--surface, Canvas);
    color: inherit;
    font: inherit;
  }
  input[type="text"],
  select {
    padding: 0 0.75rem;
    /* Below 16 pixels phones zoom into a field that is tapped. */
    font-size: max(1rem, 16px);
  }
  select {
    width: 100%;
    padding: 0 0.5rem;
    font-weight: 400;
    text-overflow: ellipsis;
  }
  [aria-invalid="true"] {
    border-color: var(--bad, Mark) !important;
    box-shadow: inset 0 0 0 1px var(--bad, Mark);
  }
  button {
    min-width: 44px;
    padding: 0 0.75rem;
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    border-color: var(--accent, LinkText);
  }
  button:disabled {
    opacity: 0.45;
    cursor: default;
  }
  .quiet {
    border-color: transparent;
    background: none;
    color: var(--accent, LinkText);
    padding-inline: 0.25rem;
  }
  .segments {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  .segments label {
    position: relative;
    display: grid;
    place-items: center;
    min-width: 44px;
    min-height: 44px;
    padding: 0 0.75rem;
    border: 1px solid var(--line, GrayText);
    border-radius: 0.5rem;
    background: var(--surface, Canvas);
    cursor: pointer;
  }
  .segments input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .segments label:has(:checked) {
    border-color: var(--accent, Highlight);
    box-shadow: inset 0 0 0 1px var(--accent, Highlight);
    color: var(--accent, LinkText);
    font-weight: 650;
  }
  .segments label:has(:focus-visible) {
    outline: 2px solid var(--accent, Highlight);
    outline-offset: 2px;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .help {
    margin: 0;
    color: var(--muted, GrayText);
    font-size: 0.8125rem;
    line-height: 1.35;
  }
`;
