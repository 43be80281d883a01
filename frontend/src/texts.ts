/**
 * The texts of the panel, in the language of the user.
 *
 * Their one source is the key `config_panel` of the integration's `translations`; Home Assistant
 * sends those of the user's language, and the English ones where a text is missing.
 */

import type english from "../../custom_components/sage/translations/en.json";
import type { CommandError, HomeAssistant, Localize } from "./home_assistant";

type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`;
}[keyof Tree & string];

export type TextKey = Paths<(typeof english)["config_panel"]>;

/** A text in two forms, with the suffixes `_one` and `_other`, for a number. */
type CountedKey = TextKey extends infer Key
  ? Key extends `${infer Base}_other`
    ? Base
    : never
  : never;

export interface Texts {
  /** Returns a text of the panel. */
  (key: TextKey, values?: Record<string, unknown>): string;
  /** Returns the form of a text that fits the number, its placeholder `count`. */
  counted(key: CountedKey, count: number): string;
}

export async function loadTexts(hass: HomeAssistant): Promise<Texts> {
  const localize = await hass.loadBackendTranslation("config_panel", "sage");
  const text = (key: TextKey, values?: Record<string, unknown>): string =>
    localize(`component.sage.config_panel.${key}`, values);
  const counted = (key: CountedKey, count: number): string => {
    const form = count === 1 ? "one" : "other";
    return text(`${key}_${form}` as TextKey, { count: count.toLocaleString(hass.language) });
  };
  return Object.assign(text, { counted });
}

/** Returns the sentence of a refused command; the texts of errors are loaded when one occurs. */
export async function errorText(hass: HomeAssistant, error: unknown): Promise<string> {
  const { message, translation_key, translation_domain, translation_placeholders } =
    error as Partial<CommandError>;
  if (translation_key && translation_domain) {
    const localize: Localize = await hass.loadBackendTranslation("exceptions", translation_domain);
    const text = localize(
      `component.${translation_domain}.exceptions.${translation_key}.message`,
      translation_placeholders,
    );
    if (text) {
      return text;
    }
  }
  return message ?? String(error);
}
