import { AppError, invalid } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import { LiquidError } from 'liquidjs';
import { type CheckedNotification, checkNotification } from '../push/notification.ts';
import { checkLiquid } from './check-liquid.ts';
import { type LiquidKind, parseMessage, placeOf, renderLiquid } from './liquid.ts';

/** The variables of a template. */
export interface MessageVariables {
  /** `member` of `MemberVariables`, including custom fields; null without a member. */
  readonly member: Readonly<Record<string, unknown>> | null;
  /** Data of the sender for this message. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly unsubscribeUrl?: string;
  readonly preferencesUrl?: string;
}

/** Subject, HTML and text: Liquid templates before rendering, plain content afterwards. */
export interface Content {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** A part of a mail or of a notification. */
type MessagePart = keyof Content | keyof NotificationContent;

/** Maximum number of characters of a rendered part. */
const OUTPUT_MAX = 4 * 1024 * 1024;

const SUBJECT_MAX = 900;

/** A message that cannot be rendered. The error message quotes the template, but no values. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly part: MessagePart;
  /** Line in the compiled part, from 1. */
  readonly line: number;
  readonly column: number;

  constructor(part: MessagePart, message: string, place: { line: number; column: number }) {
    super(message);
    this.part = part;
    this.line = place.line;
    this.column = place.column;
  }
}

/**
 * Renders a message. Values of `{{ }}` are escaped in the HTML, unless the template uses `| raw`. An
 * undefined variable is an error unless `default` follows it; null prints nothing. Custom fields are
 * available under their own keys and under `member`.
 *
 * @throws RenderError, and nothing else
 */
export function render(content: Content, variables: MessageVariables): Content {
  const names = namesOf(variables);
  const subject = renderPart('subject', 'text', content.subject, names);
  return {
    subject: oneLine(subject),
    html: renderPart('html', 'html', content.html, names),
    text: renderPart('text', 'text', content.text, names),
  };
}

/** Renders one part of a notification: nothing is escaped. @throws RenderError, and nothing else */
const renderText = (part: MessagePart, template: string, variables: MessageVariables): string =>
  renderPart(part, 'text', template, namesOf(variables));

function namesOf(variables: MessageVariables): Record<string, unknown> {
  const { member, data, unsubscribeUrl, preferencesUrl } = variables;
  return {
    // Absent without a member, because a property of null would print nothing instead of failing.
    ...(member && { ...member, member }),
    data,
    ...(unsubscribeUrl !== undefined && { unsubscribe_url: unsubscribeUrl }),
    ...(preferencesUrl !== undefined && { preferences_url: preferencesUrl }),
  };
}

function renderPart(
  part: MessagePart,
  kind: LiquidKind,
  template: string,
  names: Record<string, unknown>,
): string {
  const max = part === 'subject' ? SUBJECT_MAX : OUTPUT_MAX;
  let output: string;
  try {
    // A copy, because `increment` and `decrement` write into it.
    output = renderLiquid(kind, template, { ...names });
  } catch (error) {
    throw new RenderError(part, sentence(part, error), placeOf(error));
  }
  if (output.length > max)
    throw new RenderError(part, `The ${part} has more than ${max} characters.`, { line: 1, column: 1 });
  return output;
}

/** Removes line breaks, so that no variable can add a header. */
const oneLine = (subject: string): string => subject.replace(LINE_BREAKS, ' ').trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: a header must not have them
const LINE_BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Returns an error message of our own, because messages of liquidjs may quote values. */
function sentence(part: MessagePart, error: unknown): string {
  const { line, column } = placeOf(error);
  const place = `, at line ${line}, column ${column} of the ${part}`;
  const source = LiquidError.is(error) ? error.token.getText().slice(0, 100) : '';
  const message = parseMessage(error);
  if (message.startsWith('undefined variable')) return `${source} has no value${place}.`;
  if (message.includes('limit exceeded')) return `The template takes too long or grows too large${place}.`;
  return `${source || 'The template'} cannot be evaluated${place}.`;
}

/** The content of a notification. Each part is a Liquid template. */
export interface NotificationContent {
  readonly title: string;
  readonly body?: string | null;
  /** URL that a click opens. */
  readonly url?: string | null;
  /** URL of an image. */
  readonly icon?: string | null;
}

/** Maximum number of characters of the templates. */
const LENGTHS_MAX = { title: 500, body: 2_000, url: 2_000, icon: 2_000 } as const;

/** The parts of a notification, in the order in which they are checked. */
export const NOTIFICATION_PARTS = ['title', 'body', 'url', 'icon'] as const;

/**
 * Checks the templates of a notification. Empty parts are omitted.
 *
 * @param path - the path of the field in errors, for example `input.notification`
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400) naming the part, the latter also the place
 */
export function checkNotificationContent(path: string, written: NotificationContent): NotificationContent {
  const parts = NOTIFICATION_PARTS.flatMap((part) => {
    const text = written[part];
    if (part !== 'title' && (text ?? '').trim() === '') return [];
    const checked = checkText(`${path}.${part}`, text ?? '', LENGTHS_MAX[part]);
    checkLiquid(`${path}.${part}`, checked);
    if ((part === 'url' || part === 'icon') && !/^(https?:\/\/|\{\{)/i.test(checked))
      throw invalid(`${path}.${part}`, 'must be a web address, or begin with a variable');
    return [[part, checked] as const];
  });
  return Object.fromEntries(parts) as unknown as NotificationContent;
}

/** A rendered notification that no browser can show. */
export class NotificationError extends Error {
  override readonly name = 'NotificationError';
}

/** Renders the parts that are not empty. @throws RenderError, and nothing else */
function renderNotification(content: NotificationContent, variables: MessageVariables): NotificationContent {
  const parts = NOTIFICATION_PARTS.flatMap((part) => {
    const template = content[part];
    const text = template ? renderText(part, template, variables).trim() : '';
    return text || part === 'title' ? [[part, text] as const] : [];
  });
  return Object.fromEntries(parts) as unknown as NotificationContent;
}

/**
 * Converts a rendered notification to the form in which it is sent.
 *
 * @param rendered - of `renderNotification`
 * @param topic - a later notification of the same topic replaces this one
 * @throws NotificationError naming the part
 */
export function finishedNotification(rendered: NotificationContent, topic: string): CheckedNotification {
  try {
    return checkNotification({ ...rendered, topic });
  } catch (error) {
    if (error instanceof AppError) throw new NotificationError(error.message);
    throw error;
  }
}

/** The content of a message before rendering: a mail or a notification. */
export type AnyContent = Content | NotificationContent;

/** A message that must be rendered. */
export interface RenderJob {
  readonly content: AnyContent;
  readonly variables: MessageVariables;
}

/** The data of a `RenderError`, because a worker thread cannot transfer the error itself. */
export type RenderFailure = Pick<RenderError, 'part' | 'message' | 'line' | 'column'>;

export type RenderOutcome = { readonly rendered: AnyContent } | { readonly failure: RenderFailure };

/** Limits of a turn. The remaining messages are rendered in the next turn. */
const TURN_MS = 100;

const TURN_CHARACTERS = 4 * 1024 * 1024;

/**
 * Renders the first messages, at least one. Runs in a worker thread, because a hostile message may never
 * finish.
 */
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
