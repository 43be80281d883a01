/** The websocket commands of the views Activity and Memory, with the shapes of their answers. */

import type { HomeAssistant } from "./home_assistant";

export interface Usage {
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
}

export type OutcomeKind =
  | "verified"
  | "already"
  | "under_way"
  | "sent"
  | "not_confirmed"
  | "refused"
  | "failed";

/** What everybody in the home could see of a command. */
export interface PublicCommand {
  id: string;
  at: string;
  kind: "answer" | "failure" | "new_request";
  seconds: number;
  model_calls: number;
  usage: Usage;
  outcomes: { name: string; kind: OutcomeKind }[];
}

export interface Command extends PublicCommand {
  command: string;
  answer: string;
  /** The condition of the routine that fired; null if a person said the command. */
  routine: string | null;
  outcomes: { name: string; kind: OutcomeKind; told: string }[];
  confirmations: number;
  can_undo: boolean;
}

export interface Step {
  kind: "agent" | "model" | "tool";
  name: string;
  arguments: Record<string, unknown>;
  result: string;
  error: boolean;
  usage: Usage | null;
  seconds: number;
  children: Step[];
}

export type RiskClass =
  | "never"
  | "unlock"
  | "disarm"
  | "open"
  | "security_off"
  | "heat"
  | "maintenance"
  | "unresolved"
  | "file"
  | "foreign"
  | "outside";

export interface Trace {
  id: string;
  at: string;
  command: string;
  answer: string;
  seconds: number;
  model_seconds: number;
  model_calls: number;
  usage: Usage;
  reads: number;
  confirmations: {
    question: string;
    risks: RiskClass[];
    result: "given" | "declined" | "impossible" | "unclear";
  }[];
  outcomes: {
    kind: OutcomeKind;
    name: string;
    command: string;
    before: Record<string, unknown>;
    after: Record<string, unknown>;
    told: string;
  }[];
  root: Step;
}

export interface Memory {
  id: number;
  text: string;
  question: string | null;
  at: string;
  place: string | null;
  origin: "request" | "said" | "told" | "corrected";
  count: number;
}

export interface MemoryPage {
  memories: Memory[];
  has_more: boolean;
  total: number;
}

export interface MemorySettings {
  enabled: boolean;
  retention_days: number;
  request_days: number;
  has_own_retention: boolean;
}

export interface MemoryOverview {
  settings: MemorySettings;
  profile: {
    text: string;
    made_at: string | null;
    dates: string[];
    corrections: { text: string; at: string }[];
  };
  days: { date: string; text: string }[];
  total: number;
  commands: number;
}

interface Page {
  count?: number;
  before?: string;
}

/** The page commands: name, data and answer of each. */
interface Commands {
  "activity/list": [Page, { commands: Command[]; has_more: boolean }];
  "activity/household": [Page, { commands: PublicCommand[]; has_more: boolean }];
  "activity/trace": [{ id: string }, Trace];
  "activity/undo": [
    { id: string; language: string; agreed?: string },
    { question: string | null; done: string | null },
  ];
  "memory/overview": [Record<string, never>, MemoryOverview];
  "memory/list": [
    { group: "told" | "said"; count?: number; before?: number; search?: string },
    MemoryPage,
  ];
}

/** The actions of SAGE that the page calls: data and answer of each. */
interface Actions {
  remember: [{ text: string }, Memory];
  correct_memory: [{ id: number; text: string }, Memory];
  forget: [
    | { ids: number[] }
    | { topic: string }
    | { first_day: string; last_day?: string }
    | { everything: true },
    { forgotten: number },
  ];
  rebuild_profile: [
    Record<string, never>,
    { days: number; days_left: number; changed: boolean; error: string | null },
  ];
  export_memory: [Record<string, never>, Record<string, unknown>];
  import_memory: [{ export: object }, { memories: number; sayings: number; corrections: number }];
  set_memory: [
    {
      enabled?: boolean;
      retention_days?: number;
      request_days?: number;
      household_retention?: true;
    },
    MemorySettings,
  ];
}

/** Sends a command of the page; data and answer have the types of its name. */
export function ask<Name extends keyof Commands>(
  hass: HomeAssistant,
  name: Name,
  data: Commands[Name][0],
): Promise<Commands[Name][1]> {
  return hass.callWS({ type: `sage/${name}`, data });
}

/** Calls an action of SAGE for the signed-in user, without an event on Home Assistant's bus. */
export function act<Name extends keyof Actions>(
  hass: HomeAssistant,
  name: Name,
  data: Actions[Name][0],
): Promise<Actions[Name][1]> {
  return hass.callWS({ type: "sage/action", action: name, data });
}
