// Builds the one file that the integration ships: node build.js [output file].
import { build } from "esbuild";

const output = process.argv[2] ?? "../custom_components/sage/panel/sage_panel.js";

await build({
  entryPoints: ["src/panel.ts"],
  outfile: output,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  logLevel: "warning",
});
