/** Words for a new routine, or other words for one: their field, and the way to the agent. */

import { type TemplateResult, html, nothing } from "lit";
import { act } from "./api";
import type { HomeAssistant } from "./home_assistant";
import { button, form, spinner, textField } from "./parts";
import type { Texts } from "./texts";

interface Draft {
  /** The routine that the words are to replace. */
  replaces?: string;
  conversation: string | null;
  reply: string;
  /** The words in the field; those that were sent until the answer is there. */
  words: string;
  /** The notice of the answer, while the agent works on it. */
  answer?: Promise<string>;
}

/** Routine or "" -> draft. A draft outlives the view, because an answer may take minutes. */
export const drafts = new Map<string, Draft>();

interface ConversationAnswer {
  conversation_id: string | null;
  response: { speech: { plain?: { speech: string } } };
}

/** What words need of the view of routines. */
interface Routines {
  hass: HomeAssistant;
  agent: string | null;
  /** Returns the ids of the listed routines; `load` lists them anew. */
  ids: () => Set<string>;
  load: () => Promise<void>;
}

/** Sends words to the agent, once until it answers; returns the notice of the answer. */
export function speak(words: string, key: string, routines: Routines): Promise<string> | undefined {
  const draft = drafts.get(key) ?? { conversation: null, reply: "", words };
  if (draft.answer) {
    return undefined;
  }
  const answer = answerTo(key, { ...draft, words }, routines);
  drafts.set(key, { ...draft, words, answer });
  return answer;
}

/** Returns the notice of the answer; a replaced routine goes once the new one is there. */
async function answerTo(
  key: string,
  draft: Draft,
  { hass, agent, ids, load }: Routines,
): Promise<string> {
  drafts.set(key, draft);
  const before = ids();
  try {
    const { response, conversation_id } = await hass.callWS<ConversationAnswer>({
      type: "conversation/process",
      text: draft.words,
      agent_id: agent,
      conversation_id: draft.conversation,
      language: hass.language,
    });
    const reply = response.speech.plain?.speech ?? "";
    await load();
    if ([...ids()].every((id) => before.has(id))) {
      drafts.set(key, { ...draft, conversation: conversation_id, reply, words: "" });
      return "";
    }
    if (draft.replaces) {
      await act(hass, "delete_routine", { routine: draft.replaces });
    }
    drafts.delete(key);
    return reply;
  } catch (error) {
    drafts.set(key, draft);
    throw error;
  }
}

/** Draws the field for the words of a routine, or of a new one if `key` is "". */
export function wordsForm(
  texts: Texts,
  key: string,
  send: (words: string) => unknown,
  cancel: () => unknown,
): TemplateResult {
  const draft = drafts.get(key);
  const isSent = Boolean(draft?.answer);
  const label = texts(
    draft?.reply ? "routines.your_answer" : key ? "routines.new_words" : "routines.sentence",
  );
  return html`
    <div aria-busy=${isSent}>
      <div role="status">
        ${draft?.reply ? html`<p>${draft.reply}</p>` : nothing}
        ${isSent ? html`<p class="row">${spinner()}${texts("card.working")}</p>` : nothing}
      </div>
      ${form(
        html`${textField({
          name: "words",
          label,
          value: draft?.words ?? "",
          required: true,
          maxlength: 1000,
          readonly: isSent,
        })}
        ${button({
          label: texts("routines.send"),
          look: "main",
          type: "submit",
          disabled: isSent,
        })}
        ${
          !isSent && (draft?.replaces || draft?.reply)
            ? button({ label: texts("cancel"), click: cancel })
            : nothing
        }`,
        ({ words }) => send(words!),
      )}
    </div>
  `;
}
