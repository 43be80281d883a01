/** The parts of Home Assistant's frontend that the panel uses. */

export interface User {
  id: string;
  name: string;
  is_admin: boolean;
}

export interface State {
  entity_id: string;
  state: string;
  attributes: Record<string, unknown> & { friendly_name?: string };
}

/** An entity of the registry; `platform` is its integration. */
export interface RegistryEntry {
  entity_id: string;
  platform?: string;
}

export interface Connection {
  subscribeEvents(callback: (event: unknown) => void, type: string): Promise<() => void>;
  subscribeMessage<T>(
    callback: (message: T) => void,
    message: Message,
    options?: { resubscribe: boolean },
  ): Promise<() => Promise<void>>;
  addEventListener(type: "disconnected", listener: () => void): void;
  removeEventListener(type: "disconnected", listener: () => void): void;
}

export interface Message {
  type: string;
  [key: string]: unknown;
}

export type Localize = (key: string, values?: Record<string, unknown>) => string;

export interface HomeAssistant {
  user: User;
  language: string;
  locale: {
    language: string;
    time_format: "language" | "system" | "12" | "24";
    time_zone: "local" | "server";
  };
  config: {
    /** The language of the home; `language` of `HomeAssistant` is that of the user. */
    language: string;
    time_zone: string;
    country: string | null;
    currency: string;
    components: string[];
  };
  states: Record<string, State>;
  entities: Record<string, RegistryEntry>;
  connection: Connection;
  localize: Localize;
  /** Return a state or the value of an attribute in the words of the user's language. */
  formatEntityState(entity: State, state?: string): string;
  formatEntityAttributeValue(entity: State, attribute: string, value: string): string;
  fetchWithAuth(path: string, init?: RequestInit): Promise<Response>;
  callWS<T>(message: Message): Promise<T>;
  loadBackendTranslation(category: string, integration: string | string[]): Promise<Localize>;
}

/** Returns the conversation entity of the first agent of SAGE; undefined if there is none. */
export function firstAgent({ entities }: HomeAssistant): string | undefined {
  return Object.values(entities).find(
    ({ entity_id, platform }) => platform === "sage" && entity_id.startsWith("conversation."),
  )?.entity_id;
}

/** Returns the time zone in which a person wants to see times; undefined for the browser's. */
export function timeZone({ locale, config }: HomeAssistant): string | undefined {
  return locale.time_zone === "local" ? undefined : config.time_zone;
}

/** Returns whether a person wants to read times as on a 12-hour clock, as Home Assistant does. */
export function hasTwelveHours({ locale: { language, time_format } }: HomeAssistant): boolean {
  if (time_format === "12" || time_format === "24") {
    return time_format === "12";
  }
  const usual = new Intl.DateTimeFormat(time_format === "system" ? undefined : language, {
    timeStyle: "short",
  });
  return Boolean(usual.resolvedOptions().hour12);
}

export interface Route {
  prefix: string;
  path: string;
}

/** The error with which Home Assistant answers a websocket command. */
export interface CommandError {
  code: string;
  message: string;
  translation_key?: string;
  translation_domain?: string;
  translation_placeholders?: Record<string, string>;
}

/** Opens a page of Home Assistant without loading it anew. */
export function navigate(path: string): void {
  history.pushState(null, "", path);
  window.dispatchEvent(new CustomEvent("location-changed", { detail: { replace: false } }));
}

/** Opens the page of a link in this way, unless the person wants it in a new tab or window. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  navigate((event.currentTarget as HTMLAnchorElement).pathname);
}
