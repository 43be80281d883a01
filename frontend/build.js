// Builds the two files that the integration ships: node build.js [output folder].
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const folder = process.argv[2] ?? "../custom_components/sage/panel";

/** Texts of the card for Home Assistant's card picker and editor, which cannot load them. */
function cardTexts(language) {
  const file = `../custom_components/sage/translations/${language}.json`;
  const { name, description, agent, agent_info } = JSON.parse(readFileSync(file, "utf8"))
    .config_panel.card;
  return [language, { name, description, agent, agent_info }];
}

// The app replaces HTMLElement and the registry of elements when it starts. Home Assistant loads
// the card at the same time, so the card waits: an element of an earlier registry is unknown later.
const AFTER_THE_APP = 'await customElements.whenDefined("home-assistant");';

for (const [name, source, banner] of [
  ["sage_panel", "src/panel.ts", ""],
  ["sage_card", "src/card.ts", AFTER_THE_APP],
]) {
  await build({
    entryPoints: { [name]: source },
    outdir: folder,
    banner: { js: banner },
    define: { CARD_TEXTS: JSON.stringify(Object.fromEntries(["en", "de", "fr"].map(cardTexts))) },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
  });
}
