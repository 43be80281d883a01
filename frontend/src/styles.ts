import { css } from "lit";

/** The look of all views, from the theme variables of Home Assistant. */
export const styles = css`
  :host {
    color: var(--primary-text-color);
    display: block;
    font-family: var(--ha-font-family-body, Roboto, sans-serif);
    font-size: 14px;
    line-height: 20px;
  }
  h2,
  h3 {
    font-weight: 500;
    margin: 0;
  }
  h2 {
    color: var(--secondary-text-color);
    font-size: 14px;
    line-height: 20px;
    padding: 20px 16px 8px;
  }
  h3 {
    font-size: 14px;
    margin: 20px 0 8px;
  }
  p {
    margin: 8px 0;
  }
  a {
    /* The colour of links has too little contrast in the default theme. */
    color: var(--primary-text-color);
  }
  ha-card,
  .card {
    display: block;
    margin-bottom: 12px;
    overflow-wrap: anywhere;
  }
  ha-card:not(:defined),
  .card {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: var(--ha-card-border-radius, 12px);
  }
  .padded {
    padding: 16px;
  }
  .padded > :first-child {
    margin-top: 0;
  }
  .padded > :last-child {
    margin-bottom: 0;
  }
  .padded > .title {
    font-size: 16px;
  }
  .secondary {
    color: var(--secondary-text-color);
  }
  .unseen {
    clip-path: inset(50%);
    height: 1px;
    overflow: hidden;
    position: absolute;
    white-space: nowrap;
    width: 1px;
  }
  .empty {
    color: var(--secondary-text-color);
    padding: 32px 16px;
    text-align: center;
  }
  .empty ha-icon {
    --mdc-icon-size: 48px;
    display: flex;
    margin: 0 auto 12px;
  }
  .row {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .grow {
    flex: 1 1 160px;
    min-width: 0;
  }
  .end {
    justify-content: flex-end;
  }
  .more {
    display: flex;
    justify-content: center;
    padding: 8px;
  }

  /* Lists: one line each, as in Home Assistant. */
  ul.plain {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  ul.list > li {
    align-items: center;
    display: flex;
  }
  ul.list > li + li {
    border-top: 1px solid var(--divider-color);
  }
  .item {
    align-items: center;
    background: none;
    border: none;
    box-sizing: border-box;
    color: inherit;
    display: flex;
    flex: 1 1 auto;
    font: inherit;
    gap: 16px;
    min-height: 56px;
    min-width: 0;
    padding: 8px 16px;
    text-align: start;
  }
  button.item {
    cursor: pointer;
  }
  button.item:hover {
    background: var(--secondary-background-color);
  }
  .item > ha-icon,
  .item > ha-state-icon,
  .item > ha-domain-icon,
  .item > .spinner {
    --state-icon-color: var(--secondary-text-color);
    color: var(--secondary-text-color);
    flex: none;
  }
  .item > .text {
    display: block;
    flex: 1 1 auto;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .item .headline {
    display: block;
    font-size: 14px;
    line-height: 20px;
  }
  .item .supporting {
    color: var(--secondary-text-color);
    display: -webkit-box;
    font-size: 13px;
    line-height: 18px;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .item > time,
  .item > .meta {
    color: var(--secondary-text-color);
    flex: none;
    font-size: 13px;
  }
  .badge {
    background: var(--secondary-background-color);
    border-radius: 12px;
    color: var(--primary-text-color);
    display: inline-block;
    font-size: 12px;
    line-height: 16px;
    padding: 3px 8px;
    white-space: nowrap;
  }
  .badge.warning {
    background: color-mix(in srgb, var(--warning-color) 25%, var(--card-background-color));
  }
  .badge.error {
    background: color-mix(in srgb, var(--error-color) 20%, var(--card-background-color));
  }

  /* A message stays in sight, below the header, wherever the person has scrolled to. */
  .messages {
    position: sticky;
    top: var(--sage-header-height, 56px);
    z-index: 3;
  }
  .messages ha-alert {
    background: var(--card-background-color);
    border-radius: 8px;
    box-shadow: 0 2px 8px rgb(0 0 0 / 25%);
    display: block;
    margin: 8px 0;
  }
  .message {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-inline-start: 4px solid var(--success-color);
    border-radius: 8px;
    margin: 8px 0;
    padding: 8px 12px;
  }
  .message.error {
    border-inline-start-color: var(--error-color);
  }
  .message.warning {
    border-inline-start-color: var(--warning-color);
  }

  /* A sheet with details at the side; on phones, the whole page. */
  dialog.sheet {
    background: var(--card-background-color);
    border: none;
    box-sizing: border-box;
    color: inherit;
    height: 100dvh;
    inset-block: 0;
    inset-inline: auto 0;
    margin: 0;
    max-height: none;
    max-width: 100vw;
    overscroll-behavior: contain;
    padding: 0;
    width: 480px;
  }
  dialog.sheet .head {
    align-items: center;
    background: var(--card-background-color);
    border-bottom: 1px solid var(--divider-color);
    display: flex;
    gap: 4px;
    min-height: 56px;
    padding: 4px;
    position: sticky;
    top: 0;
    z-index: 4;
  }
  dialog.sheet .head h2 {
    color: inherit;
    font-size: 18px;
    font-weight: 400;
    line-height: 24px;
    overflow-wrap: anywhere;
    padding: 0 8px 0 0;
  }
  dialog.sheet .body {
    --sage-header-height: 64px;
    overflow-wrap: anywhere;
    padding: 8px 20px 24px;
  }
  dialog.sheet .head .grow {
    flex: 1 1 auto;
  }
  dialog.question {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: var(--ha-card-border-radius, 12px);
    color: inherit;
    max-width: min(480px, 90vw);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 50%);
  }
  .buttons {
    justify-content: flex-end;
    padding: 12px 16px 16px;
  }
  @media (prefers-reduced-motion: no-preference) {
    dialog.sheet {
      animation: slide 150ms ease-out;
    }
    @keyframes slide {
      from {
        opacity: 0;
        transform: translateX(40px);
      }
    }
  }

  .fold {
    --expansion-panel-content-padding: 0;
    --expansion-panel-summary-padding: 0;
  }
  ha-card .fold {
    --expansion-panel-summary-padding: 0 16px;
  }
  .fold > [slot="leading-icon"] {
    color: var(--secondary-text-color);
    margin-inline-end: 16px;
  }
  ha-icon,
  ha-state-icon {
    /* Its space is there before the icon is. */
    display: inline-flex;
    height: var(--mdc-icon-size, 24px);
    width: var(--mdc-icon-size, 24px);
  }
  .field {
    --ha-input-padding-bottom: 0;
    flex: 1 1 200px;
    max-width: 100%;
  }

  /* Plain elements, where Home Assistant's own are missing. */
  button.main,
  button.quiet,
  button.danger,
  button.outlined {
    background: none;
    border: 1px solid transparent;
    border-radius: 18px;
    color: var(--primary-text-color);
    cursor: pointer;
    font: inherit;
    font-weight: 500;
    min-height: 36px;
    padding: 4px 16px;
  }
  button.main,
  button.outlined {
    border-color: var(--primary-color);
  }
  button.danger {
    border-color: var(--error-color);
  }
  button:disabled {
    cursor: default;
    opacity: 0.5;
  }
  :focus-visible {
    outline: 2px solid var(--primary-color);
    outline-offset: -2px;
  }
  input:not([type="checkbox"], [type="radio"]),
  textarea,
  select {
    background: var(--card-background-color);
    border: 1px solid var(--outline-color, var(--secondary-text-color));
    border-radius: 8px;
    box-sizing: border-box;
    color: inherit;
    font: inherit;
    max-width: 100%;
    min-height: 40px;
    padding: 8px 12px;
  }
  textarea {
    width: 100%;
  }
  label.field {
    display: grid;
    gap: 4px;
  }
  summary {
    cursor: pointer;
    min-height: 36px;
  }
  pre,
  code {
    font-family: var(--ha-font-family-code, monospace);
    font-size: 13px;
  }
  pre {
    background: var(--secondary-background-color);
    border-radius: 8px;
    overflow-x: auto;
    padding: 8px;
    white-space: pre-wrap;
  }
  .failed {
    color: var(--error-color);
    font-weight: 500;
  }
  progress {
    width: 100%;
  }
`;

/** The look of the charts in `charts.ts`. */
export const chartStyles = css`
  svg.day,
  svg.bars {
    display: block;
    width: 100%;
  }
  svg.day {
    height: 32px;
  }
  svg.bars {
    height: 96px;
  }
  svg .empty {
    fill: var(--secondary-background-color);
  }
  svg .so {
    fill: var(--primary-color);
  }
  svg .moment {
    fill: var(--primary-text-color);
  }
  svg .axis {
    stroke: var(--divider-color);
  }
  .hours {
    color: var(--secondary-text-color);
    display: flex;
    font-size: 12px;
    justify-content: space-between;
  }
`;
