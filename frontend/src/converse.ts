/** Asks a conversation agent, and reports the parts of its answer while they come. */

import type { CommandError, HomeAssistant, Message } from "./home_assistant";

export interface Reply {
  conversation_id: string | null;
  response: { speech: { plain?: { speech: string } } };
}

export interface Utterance {
  text: string;
  /** The conversation entity to ask. */
  agent: string;
  conversation: string | null;
}

/** A part of an answer: words for the person, or a step of the agent in Markdown. */
export interface Part {
  content?: string;
  thinking_content?: string;
}

/** Returns the step in a part of an answer, which is an item of a Markdown list, as plain text. */
export function stepOf({ thinking_content = "" }: Part): string {
  return thinking_content.replace(/^- /, "").replace(/\\(.)/g, "$1").trim();
}

type RunEvent =
  | { type: "intent-progress"; data: { chat_log_delta?: Part } }
  | { type: "intent-end"; data: { intent_output: Reply } }
  | { type: "error"; data: CommandError }
  | { type: "run-start" | "intent-start" | "run-end" };

/** Seconds; SAGE ends a command much earlier. */
const TIMEOUT = 3600;

/**
 * Says something to an agent and returns its reply; `heard` gets the parts before.
 *
 * Assist sends the parts, but speaks only the language of the home. A person with another language
 * gets the whole reply at once.
 */
export function converse(
  hass: HomeAssistant,
  { text, agent, conversation }: Utterance,
  heard: (part: Part) => void,
): Promise<Reply> {
  const { components, language } = hass.config;
  if (language !== hass.language || !components.includes("assist_pipeline")) {
    return hass.callWS({
      type: "conversation/process",
      text,
      agent_id: agent,
      language: hass.language,
      conversation_id: conversation,
    });
  }
  const message = {
    type: "assist_pipeline/run",
    start_stage: "intent",
    end_stage: "intent",
    input: { text },
    // Assist takes a conversation entity instead of a pipeline.
    pipeline: agent,
    conversation_id: conversation,
    timeout: TIMEOUT,
  };
  return run(hass, message, heard);
}

async function run(
  { connection, localize }: HomeAssistant,
  message: Message,
  heard: (part: Part) => void,
): Promise<Reply> {
  let lost = (): void => undefined;
  let subscription: Promise<() => Promise<void>> | undefined;
  try {
    return await new Promise<Reply>((resolve, reject) => {
      lost = () => reject(new Error(localize("ui.notification_toast.connection_lost")));
      connection.addEventListener("disconnected", lost);
      const take = (event: RunEvent): void => {
        if (event.type === "intent-progress") {
          heard(event.data.chat_log_delta ?? {});
        } else if (event.type === "intent-end") {
          resolve(event.data.intent_output);
        } else if (event.type === "error") {
          reject(event.data);
        }
      };
      // A command is never sent a second time after a lost connection.
      subscription = connection.subscribeMessage(take, message, { resubscribe: false });
      subscription.catch(reject);
    });
  } finally {
    connection.removeEventListener("disconnected", lost);
    subscription?.then((end) => end()).catch(() => undefined);
  }
}
