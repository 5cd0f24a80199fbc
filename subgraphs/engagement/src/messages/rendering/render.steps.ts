import type { NotificationContent } from './notification-content.ts';
import { type Content, type MessageVariables, RenderError, render } from './render.ts';
import { renderNotification } from './render-notification.ts';

/** What a message says before it is filled in: a mail or a notification. */
export type AnyContent = Content | NotificationContent;

/** One message that is to be filled in. */
export interface RenderJob {
  readonly content: AnyContent;
  readonly variables: MessageVariables;
}

/** What a `RenderError` says, which no thread could hand over as such. */
export type RenderFailure = Pick<RenderError, 'part' | 'message' | 'line' | 'column'>;

export type RenderOutcome = { readonly rendered: AnyContent } | { readonly failure: RenderFailure };

/** After so much of either, the others are left for the next turn. */
const TURN_MS = 100;
const TURN_CHARACTERS = 4 * 1024 * 1024;

/** Fills in the first messages, at least one; a hostile one never ends: this runs in a thread. */
export function renderSome(jobs: readonly RenderJob[]): RenderOutcome[] {
  const until = performance.now() + TURN_MS;
  const outcomes: RenderOutcome[] = [];
  let characters = 0;
  for (const job of jobs) {
    const outcome = renderOne(job);
    outcomes.push(outcome);
    if ('rendered' in outcome)
      characters += Object.values(outcome.rendered).reduce((sum, part) => sum + (part?.length ?? 0), 0);
    if (performance.now() > until || characters > TURN_CHARACTERS) break;
  }
  return outcomes;
}

function renderOne({ content, variables }: RenderJob): RenderOutcome {
  try {
    const isMail = 'subject' in content;
    return { rendered: isMail ? render(content, variables) : renderNotification(content, variables) };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const { part, message, line, column } = error;
    return { failure: { part, message, line, column } };
  }
}
