import { css } from "lit";

export const chartStyles = css`
  :host {
    display: block;
    container-type: inline-size;
    color: var(--ink, CanvasText);
    font-variant-numeric: tabular-nums;
  }
  .charts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr));
    gap: 1rem;
    align-items: start;
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
  h3 {
    margin: 0;
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
    width: min(var(--label-width), 40cqw);
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
    width: 8ch;
    padding: 0.1rem 0 0.1rem 0.5rem;
    text-align: end;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .two .chance {
    width: 7ch;
    padding-inline-start: 0.25rem;
    font-size: 0.875rem;
  }
  .two .points {
    width: 6ch;
    color: var(--muted, GrayText);
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
    height: 0.55rem;
  }
  .two .track + .track {
    margin-top: 0.15rem;
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
