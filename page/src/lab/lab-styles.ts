import { css } from "lit";

export const labStyles = css`
  h1 {
    margin: 0;
    font-size: 1.5rem;
    line-height: 1.2;
  }
  .intro {
    margin: 0.25rem 0 1rem;
    color: var(--muted, GrayText);
  }
  .lab {
    display: grid;
    gap: 1rem;
  }
  .ask,
  .panel {
    padding: 1rem;
    background: var(--surface, Canvas);
    border: 1px solid var(--line, GrayText);
    border-radius: 0.75rem;
    min-width: 0;
  }
  .sides {
    margin-bottom: 1rem;
  }
  .sides .segments {
    flex: 1;
  }
  .sides,
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  .sides .segments label {
    flex: 1;
  }
  .answers {
    display: grid;
    gap: 1rem;
    align-content: start;
    min-width: 0;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem 1rem;
    align-items: start;
    justify-content: space-between;
  }
  .headlines {
    flex: 1 1 18rem;
    display: grid;
    gap: 0.25rem;
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: 1.0625rem;
    font-weight: 650;
    line-height: 1.35;
    min-height: 2.75rem;
  }
  .headlines li {
    display: flex;
    gap: 0.5rem;
  }
  .key {
    flex: none;
    display: inline-grid;
    place-items: center;
    width: 1.5rem;
    height: 1.5rem;
    border-radius: 0.375rem;
    background: var(--accent, Highlight);
    color: var(--surface, HighlightText);
    font-size: 0.8125rem;
    font-weight: 700;
  }
  .headlines li > div {
    min-width: 0;
  }
  .headlines .help {
    font-weight: 400;
  }
  .refusal {
    padding: 0.5rem 0.75rem;
    border-inline-start: 4px solid var(--bad, Mark);
    border-radius: 0.25rem;
    background: color-mix(in srgb, var(--bad, Mark) 12%, var(--surface, Canvas));
    font-weight: 400;
    font-size: 1rem;
  }
  .refusal:empty {
    display: none;
  }
  .key.b {
    background: var(--ink, CanvasText);
  }
  .vary > summary {
    display: flex;
    align-items: center;
    min-height: 44px;
    margin: -0.5rem 0;
    font-weight: 650;
    cursor: pointer;
  }
  .vary[open] > summary {
    margin-bottom: 0.5rem;
  }
  .vary > summary::before {
    content: "▸";
    width: 1.25em;
    color: var(--muted, GrayText);
  }
  .vary[open] > summary::before {
    content: "▾";
  }
  .up-to {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    margin-top: 1rem;
    padding-top: 1rem;
    border-top: 1px solid var(--line, GrayText);
    font-size: 0.875rem;
  }
  .up-to number-stepper {
    flex: none;
    width: 9.5rem;
  }
  /* On a phone the charts are below the form; what matters stays in sight. */
  .summary {
    position: sticky;
    z-index: 1;
    bottom: 0;
    display: block;
    width: 100vw;
    margin-inline: calc(50% - 50vw);
    padding: 0.5rem 1rem calc(0.5rem + env(safe-area-inset-bottom));
    border: 0;
    border-top: 1px solid var(--line, GrayText);
    border-radius: 0;
    background: var(--surface, Canvas);
    text-align: start;
    font-size: 0.875rem;
    overflow: hidden;
    font-variant-numeric: tabular-nums;
  }
  .summary .line {
    display: flex;
    gap: 0.875rem;
    overflow: hidden;
    white-space: nowrap;
  }
  .summary b {
    font-weight: 700;
  }
  .summary .refused {
    color: var(--bad, CanvasText);
    white-space: normal;
  }
  @media (min-width: 56rem) {
    .lab {
      grid-template-columns: minmax(20rem, 24rem) minmax(0, 1fr);
      grid-template-rows: auto 1fr;
      align-items: start;
      padding-bottom: 2rem;
      gap: 1rem 1.5rem;
    }
    header {
      grid-column: 1 / -1;
    }
    .intro {
      margin-bottom: 0;
    }
    .ask {
      position: sticky;
      top: 1rem;
      max-height: calc(100vh - 2rem);
      overflow-y: auto;
    }
    .summary {
      display: none;
    }
  }
`;
