/** The websocket commands of the views, with the shapes of their answers. */

import type { Device, Level, RiskReason, WholeDevice } from "./device_types";
import type { HomeAssistant } from "./home_assistant";
import type { OtherRoutine, Question, Routine, RoutineTest, WholeRoutine } from "./routine_types";

export interface Usage {
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  /** Only where the server reported no tokens. */
  is_estimated?: true;
}

export type OutcomeKind =
  | "verified"
  | "already"
  | "under_way"
  | "reached"
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
  /** Its id; missing in commands that were logged before SAGE stored it. */
  routine_id?: string | null;
  /** `component` is missing in commands that were logged before SAGE stored it. */
  outcomes: { name: string; kind: OutcomeKind; sentence: string; component?: string }[];
  confirmations: number;
  can_undo: boolean;
  /** Whether SAGE waits for a reply; the answer is then its question. */
  is_waiting: boolean;
  is_undone: boolean;
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

/** A command of the person while it runs, with its steps so far. */
export interface LiveCommand {
  id: string;
  at: string;
  command: string;
  root: Step;
  is_over: boolean;
}

export type RiskClass =
  | "never"
  | "unlock"
  | "disarm"
  | "open"
  | "security_off"
  | "heat"
  | "life"
  | "food"
  | "network"
  | "maintenance"
  | "unresolved"
  | "unclear"
  | "chosen"
  | "file"
  | "look"
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
  /** Sentences about everything except commands; missing in traces that are older. */
  seen?: string[];
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
    sentence: string;
  }[];
  /** Only of spoken commands; missing in traces that are older. */
  voice?: {
    /** Similarities to the voices of people, 0 to 1, best first. */
    scores: number[];
    threshold: number;
    /** Minimum difference between the best two. */
    margin: number;
    recognized: boolean;
    /** Whether another integration reported who spoke. */
    reported: boolean;
    /** Why the voice was not compared; empty if it was. */
    missing: "" | "too_short" | "late" | "away";
  } | null;
  root: Step;
}

export interface VoiceOverview {
  enabled: boolean;
  threshold: number;
  vectors: { id: number; at: string }[];
  /** Sentences at satellites that the person may claim; `satellite` is a name. */
  sentences: { id: string; at: string; satellite: string | null }[];
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
  /** The number of memories of the group that contain the words of the search. */
  found: number;
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

export interface DayUsage extends Usage {
  day: string;
  calls: number;
  failed: number;
  seconds: number;
}

/** Per million tokens. */
export interface Price {
  input?: number;
  cached?: number;
  output?: number;
}

export interface Agent {
  id: string;
  name: string;
  model: string;
  server: string | null;
  format: string;
  formats: string[];
  price: Price | null;
  days: DayUsage[];
}

/** A sentence to try: its words are the text of its kind, with the name of the device. */
export interface Proposal {
  kind: "turn_on" | "turn_off" | "is_on" | "turn_off_later";
  device: string;
}

export interface Assistant {
  id: string;
  name: string;
}

/** A mail account of the person, without its password. */
export interface MailAccount {
  id: string;
  address: string;
  user_name: string;
  provider: string;
  /** Those for incoming and outgoing mail, such as "imap.example.com:993". */
  servers: string[];
  /** Whether the server does not accept the password any more. */
  is_refused: boolean;
}

export interface Provider {
  id: string;
  name: string;
  help_url: string;
}

export interface Calendar {
  id: string;
  name: string;
  is_own: boolean;
  /** Whether the person may make it their own, or give it back. */
  is_changeable: boolean;
}

export interface Accounts {
  mail: MailAccount[];
  providers: Provider[];
  calendars: Calendar[];
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
  /** `assistants` is null for members, and once SAGE answers in an assistant. */
  "start/get": [Record<string, never>, { sentences: Proposal[]; assistants: Assistant[] | null }];
  "start/use_in_assistant": [{ assistant: string }, Record<string, never>];
  "memory/overview": [Record<string, never>, MemoryOverview];
  "memory/list": [
    { group: "told" | "said"; count?: number; before?: number; search?: string },
    MemoryPage,
  ];
  "voice/overview": [Record<string, never>, VoiceOverview];
  /** `similarity` to the person's earlier voice samples, 0 to 1; null without any. */
  "voice/enroll": [{ audio: string }, { similarity: number | null }];
  "voice/claim": [{ id: string }, { similarity: number | null }];
  "voice/delete": [{ id?: number }, null];
  "routines/list": [
    { language: string; has_twelve_hours: boolean },
    {
      routines: Routine[];
      /** Public facts of the routines of others; only for administrators. */
      others: OtherRoutine[];
      questions: Question[];
      /** The conversation entity that makes routines. */
      agent: string | null;
      unreadable: number;
    },
  ];
  "routines/get": [{ routine: string; language: string; has_twelve_hours: boolean }, WholeRoutine];
  "devices/list": [
    { start: number; count: number },
    { devices: Device[]; total: number; exposed?: number; entities?: number },
  ];
  "devices/get": [{ device: string; language: string }, WholeDevice];
  "devices/write_caption": [{ photo: string; language: string }, { caption: string }];
  "devices/add_photo": [{ device: string; upload: string }, null];
  "devices/set_risk": [{ entity_id: string; level: Level | null }, { risk: RiskReason }];
  "models/list": [{ days: number }, { agents: Agent[]; currency: string }];
  "accounts/list": [Record<string, never>, Accounts];
  /** `account`: the answers for the form of the provider. `error`: the key of a text, or "". */
  "accounts/add_mail": [{ provider: string; account: object }, { error: string }];
  "accounts/remove_mail": [{ id: string }, Record<string, never>];
  "accounts/set_calendar": [{ id: string; is_own: boolean }, Record<string, never>];
  "models/set_price": [{ agent: string } & Price, null];
}

/** The actions of SAGE that the page calls: data and answer of each. */
interface Actions {
  remember: [{ text: string }, Memory];
  correct_memory: [{ id: number; text: string }, Memory];
  forget: [
    (
      | { ids: number[] }
      | { topic: string }
      | { first_day: string; last_day?: string }
      | { everything: true }
    ),
    { forgotten: number },
  ];
  rebuild_profile: [
    Record<string, never>,
    { days: number; days_left: number; changed: boolean; error: string | null },
  ];
  export_memory: [Record<string, never>, Record<string, unknown>];
  set_memory: [
    {
      enabled?: boolean;
      retention_days?: number;
      request_days?: number;
      household_retention?: true;
    },
    MemorySettings,
  ];
  test_routine: [{ routine: string } | { code: string }, RoutineTest];
  pause_routine: [{ routine: string }, OtherRoutine];
  resume_routine: [{ routine: string }, OtherRoutine];
  delete_routine: [{ routine: string }, OtherRoutine];
  set_photo_caption: [{ photo: string; caption: string }, null];
  delete_photo: [{ photo: string }, null];
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

/** Answers the question of a routine; the answer may be the PIN. */
export function answerRoutine(hass: HomeAssistant, routine: string, answer: string): Promise<null> {
  return hass.callWS({ type: "sage/answer_routine", routine, answer });
}
