/** What came of a command, why SAGE asked or refused, and all technical details of its steps. */

import { type TemplateResult, html, nothing } from "lit";
import type { Command, PublicCommand, Step, Trace, Usage } from "./api";
import { fold } from "./parts";
import type { Texts } from "./texts";
import { stepIcon, stepName, timeline } from "./timeline";
import { voiceReasons } from "./voice";

/** Texts and numbers in the language of the person. */
export interface Locale {
  texts: Texts;
  number: (value: number, digits?: number) => string;
}

export function traceOf(locale: Locale, command: Command, trace: Trace): TemplateResult {
  return html`
    ${why(locale, trace)} ${changes(locale, command, trace)}
    ${
      trace.seen?.length
        ? html`<h3>${locale.texts("activity.also")}</h3>
            <ul>
              ${trace.seen.map((sentence) => html`<li>${sentence}</li>`)}
            </ul>`
        : nothing
    }
    ${
      trace.voice
        ? html`<h3>${locale.texts("voice.why")}</h3>
            <ul>
              ${voiceReasons(locale.texts, trace.voice, (value) => locale.number(value, 2)).map(
                (reason) => html`<li>${reason}</li>`,
              )}
            </ul>`
        : nothing
    }
    <h3>${locale.texts("activity.steps")}</h3>
    ${
      trace.root.children.length
        ? timeline(
            locale.texts,
            trace.root.children,
            (value) => locale.number(value, 1),
            trace.outcomes,
          )
        : html`<p class="secondary">${locale.texts("activity.no_steps")}</p>`
    }
    ${fold({
      header: locale.texts("activity.technical"),
      content: () => technical(locale, trace),
    })}
  `;
}

/** Why SAGE asked, or did not do something. */
function why(locale: Locale, trace: Trace): TemplateResult | typeof nothing {
  const refused = trace.outcomes.filter(({ kind }) => kind === "refused" || kind === "failed");
  if (!trace.confirmations.length && !refused.length) {
    return nothing;
  }
  return html`
    <h3>${locale.texts("activity.why")}</h3>
    <ul>
      ${trace.confirmations.map(
        ({ question, risks, result }) =>
          html`<li>
            ${locale.texts("activity.asked", { question })}
            ${risks.map((risk) => html`<br />${locale.texts(`activity.risk.${risk}`)}`)}
            <br />${locale.texts(`activity.reply.${result}`)}
          </li>`,
      )}
      ${refused.map(({ sentence }) => html`<li>${sentence}</li>`)}
    </ul>
  `;
}

function changes(locale: Locale, command: Command, trace: Trace): TemplateResult {
  const done = trace.outcomes.filter(({ kind }) => kind !== "refused" && kind !== "failed");
  return html`
    <h3>${locale.texts("activity.changes")}</h3>
    ${command.is_undone ? html`<p>${locale.texts("activity.undone_changes")}</p>` : nothing}
    ${
      done.length
        ? html`<ul>
            ${done.map(({ sentence }) => html`<li>${sentence}</li>`)}
          </ul>`
        : html`<p class="secondary">${locale.texts("activity.no_changes")}</p>`
    }
  `;
}

function technical(locale: Locale, trace: Trace): TemplateResult {
  const changed = trace.outcomes.filter(({ after }) => Object.keys(after).length);
  return html`
    <p class="secondary">${summary(locale, trace)}</p>
    <p class="secondary">
      ${locale.texts("activity.costs", {
        seconds: locale.number(trace.seconds, 1),
        model_seconds: locale.number(trace.model_seconds, 1),
      })}
      ${
        trace.reads
          ? locale.texts.counted("activity.reads", trace.reads)
          : locale.texts("activity.reads_none")
      }
      ${usage(locale, trace.usage)}
    </p>
    ${
      changed.length
        ? html`<h3>${locale.texts("activity.values")}</h3>
            <ul>
              ${changed.map(
                ({ name, before, after }) => html`<li>${name}: ${values(before, after)}</li>`,
              )}
            </ul>`
        : nothing
    }
    <ul class="plain steps">
      ${trace.root.children.map((step) => details(locale, step))}
    </ul>
  `;
}

export function summary(
  locale: Locale,
  command: Pick<PublicCommand, "seconds" | "model_calls" | "usage">,
): string {
  const { prompt_tokens, completion_tokens } = command.usage;
  return locale.texts("activity.summary", {
    seconds: locale.number(command.seconds, 1),
    calls: locale.texts.counted("activity.calls", command.model_calls),
    tokens: tokens(locale, command.usage, prompt_tokens + completion_tokens),
  });
}

function details(locale: Locale, step: Step): TemplateResult {
  const facts = [locale.texts("activity.seconds", { seconds: locale.number(step.seconds, 1) })];
  if (step.usage) {
    facts.push(usage(locale, step.usage));
  }
  const header = step.kind === "model" ? stepName(locale.texts, step) : step.name;
  const hasArguments = Object.keys(step.arguments).length > 0;
  return html`<li>
    ${fold({
      header: step.error ? `${header} (${locale.texts("activity.error")})` : header,
      secondary: facts.join(" · "),
      icon: stepIcon(step),
      content: () => html`
        ${hasArguments ? html`<pre>${JSON.stringify(step.arguments, null, 2)}</pre>` : nothing}
        ${
          step.children.length
            ? html`<ul class="plain steps">
                ${step.children.map((child) => details(locale, child))}
              </ul>`
            : nothing
        }
        ${
          step.result
            ? html`<p class="secondary">${locale.texts("activity.seen")}</p>
                <pre>${step.result}</pre>`
            : nothing
        }
      `,
    })}
  </li>`;
}

function usage(locale: Locale, usage: Usage): string {
  return locale.texts("activity.tokens", {
    prompt: tokens(locale, usage, usage.prompt_tokens),
    cached: tokens(locale, usage, usage.cached_tokens),
    written: tokens(locale, usage, usage.completion_tokens),
  });
}

/** A number of tokens; an estimate is marked as one. */
function tokens(locale: Locale, usage: Usage, count: number): string {
  const number = locale.number(count);
  return usage.is_estimated ? locale.texts("activity.about", { number }) : number;
}

function values(before: Record<string, unknown>, after: Record<string, unknown>): string {
  return Object.keys(after)
    .map((name) => `${name}: ${shown(before[name])} → ${shown(after[name])}`)
    .join(", ");
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "–");
}
