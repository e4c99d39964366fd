import { css } from "lit";

export const chartStyles = css`
  :host {
    display: block;
    color: var(--ink, CanvasText);
    font-variant-numeric: tabular-nums;
  }
  .charts {
    display: grid;
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    gap: 1rem;
    align-items: start;
  }
  .column {
    container-type: inline-size;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1rem;
  }
  figure {
    margin: 0;
    padding: 0.75rem 1rem 0.5rem;
    background: var(--surface, Canvas);
    border: 1px solid var(--line, GrayText);
    border-radius: 0.75rem;
    min-width: 0;
  }
  .head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
  }
  /* No heading: how deep it would be depends on where the chart stands. */
  strong {
    font-size: 1rem;
    line-height: 1.25;
    font-weight: 650;
  }
  button {
    flex: none;
    min-width: 44px;
    min-height: 44px;
    margin: -0.4rem -0.6rem -0.2rem 0;
    border: 0;
    border-radius: 0.5rem;
    background: none;
    color: var(--muted, GrayText);
    font: inherit;
    font-size: 0.8125rem;
    cursor: pointer;
  }
  button:hover,
  button[aria-pressed="true"] {
    color: var(--accent, LinkText);
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  :focus-visible {
    outline: 2px solid var(--accent, Highlight);
    outline-offset: 2px;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    table-layout: fixed;
    font-size: 0.9375rem;
  }
  tbody tr {
    cursor: pointer;
  }
  /* The row of headings is empty to the eye, and gives the columns their widths. */
  thead th,
  thead td {
    padding-block: 0;
    line-height: 0;
  }
  .label {
    width: min(var(--label-width), 46cqw);
  }
  tbody th {
    padding: 0.1rem 0.5rem 0.1rem 0;
    text-align: start;
    font-weight: 400;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .chance {
    width: 7.5ch;
    padding: 0.1rem 0 0.1rem 0.25rem;
    text-align: end;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .two .points {
    width: 6.5ch;
    color: var(--muted, GrayText);
    font-size: 0.8125rem;
  }
  .side {
    display: block;
    line-height: 1rem;
    font-size: 0.875rem;
  }
  .two tbody tr > * {
    padding-block: 0.2rem;
  }
  /* A row of two bars has room for two lines. */
  .two tbody th {
    line-height: 1.05rem;
    white-space: normal;
    overflow-wrap: normal;
  }
  .bars {
    padding: 0.1rem 0;
  }
  .track {
    display: block;
    height: 0.95rem;
    border-radius: 0.2rem;
    background: color-mix(in srgb, var(--line, GrayText) 35%, transparent);
  }
  .two .track {
    height: 0.75rem;
    margin-block: 0.125rem 0.25rem;
  }
  .two .track:last-child {
    margin-bottom: 0.125rem;
  }
  .bar {
    display: block;
    height: 100%;
    background: var(--accent, Highlight);
    clip-path: inset(0 min(calc(100% - 2px), calc(100% - var(--share) * 100%)) 0 0 round 0.2rem);
    transition: clip-path 220ms ease-out;
  }
  .bar.none {
    clip-path: inset(0 100% 0 0);
  }
  /* The second question is striped, so that the two can be told apart without colour. */
  .bar.b {
    background: repeating-linear-gradient(
      -45deg,
      var(--ink, CanvasText) 0 3px,
      color-mix(in srgb, var(--ink, CanvasText) 35%, var(--surface, Canvas)) 3px 6px
    );
  }
  .two .label {
    width: min(var(--label-width), 34cqw);
  }
  /* An answer to an earlier question: still readable, plainly not the newest. */
  :host([stale]) {
    color: var(--muted, GrayText);
  }
  :host([stale]) .bar {
    opacity: 0.35;
  }
  .marked th,
  .marked .chance {
    font-weight: 700;
  }
  tbody tr:hover .track,
  tr.opened .track {
    background: color-mix(in srgb, var(--line, GrayText) 80%, transparent);
  }
  figcaption {
    display: flex;
    justify-content: space-between;
    gap: 0.75rem;
    min-height: 1.5rem;
    margin-top: 0.25rem;
    color: var(--muted, GrayText);
    font-size: 0.8125rem;
    line-height: 1.5rem;
  }
  output {
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .scale {
    flex: none;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    .bar {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .bar {
      forced-color-adjust: none;
    }
  }
`;
