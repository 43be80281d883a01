// Rules for the sources and tests of the page. TypeScript checks names and unused things.
import parser from "@babel/eslint-parser";
import js from "@eslint/js";
import lit from "eslint-plugin-lit";
import accessible from "eslint-plugin-lit-a11y";

const ofTypeScript = {
  "getter-return": "off",
  "no-redeclare": "off",
  "no-undef": "off",
  "no-unused-vars": "off",
};

export default [
  js.configs.recommended,
  {
    files: ["src/**/*.ts"],
    languageOptions: {
      parser,
      parserOptions: {
        requireConfigFile: false,
        babelOptions: {
          babelrc: false,
          configFile: false,
          parserOpts: { plugins: ["typescript", "decorators-legacy"] },
        },
      },
    },
    plugins: { lit, "lit-a11y": accessible },
    rules: {
      ...lit.configs.recommended.rules,
      ...accessible.configs.recommended.rules,
      ...ofTypeScript,
      "lit/no-template-arrow": "off",
    },
  },
  { files: ["tests/*.js", "*.js"], rules: { "no-undef": "off" } },
];
