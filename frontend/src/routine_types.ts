/** The shapes of routines in the answers of the websocket commands. */

export interface OtherRoutine {
  id: string;
  entity_id: string;
  number: number;
  status: string;
  last_fired: string | null;
  next_check: string | null;
  fired: number;
}

export type Action =
  | { commands: { device: string; command: string; arguments: Record<string, unknown> }[] }
  | { words: string }
  | { decide: true };

export interface Routine extends OtherRoutine {
  request: string;
  /** Trigger and action as a sentence. */
  says: string;
  action: string;
  does: Action | null;
  trouble: CodeError | null;
  paused_until: string | null;
  is_true: boolean | null;
  is_household: boolean;
  /** Seconds between checks, and seconds of truth before it fires; missing without a condition. */
  interval?: number;
  hold?: number;
}

export interface WholeRoutine extends Routine {
  /** Condition code; missing for a routine with a time. */
  code?: string;
  end_code: string | null;
}

export interface Question {
  id: string;
  routine: string;
  firing: number;
  text: string;
  wanted: "text" | "yes_or_no" | "pin";
  takes_pin: boolean;
  /** The words for yes and no in the language of the routine, in which they are recognised. */
  yes: string;
  no: string;
}

/** An error of condition code, or why no code can run. */
export interface CodeError {
  kind:
    | "syntax"
    | "exception"
    | "no_bool"
    | "time"
    | "memory"
    | "recursion"
    | "state"
    | "crash"
    | "withheld"
    | "no_sandbox";
  line: number | null;
  /** Technical text, in English. */
  detail: string | null;
}

/** Why the last 24 hours cannot be shown. */
export type ReplayProblem =
  | "no_condition"
  | "has_end"
  | "no_recorder"
  | "not_recorded"
  | "reads_more"
  | "too_many_changes"
  | "withheld"
  | "fails"
  | "no_sandbox";

export type LastDay =
  | { since: string; true: [string, string][]; would_have_fired: string[] }
  | { problem: ReplayProblem };

export interface RoutineTest {
  value: boolean | null;
  error: CodeError | null;
  reads?: {
    function: string;
    arguments: unknown[];
    value: unknown;
    is_unknown: boolean;
    error: string | null;
  }[];
  last_24_hours: LastDay;
}
