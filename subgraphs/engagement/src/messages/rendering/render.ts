import { LiquidError } from 'liquidjs';
import { type LiquidKind, parseMessage, placeOf, renderLiquid } from './liquid.ts';
import type { NotificationContent } from './notification-content.ts';

/** What a template can print. */
export interface MessageVariables {
  /** Of `MemberVariables`, custom fields included; null where no member is known. */
  readonly member: Readonly<Record<string, unknown>> | null;
  /** What the sender gave for this message. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly unsubscribeUrl?: string;
  readonly preferencesUrl?: string;
}

/** Subject, HTML and text; Liquid templates before they are rendered, what is sent afterwards. */
export interface Content {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** A part of a mail or of a notification. */
type MessagePart = keyof Content | keyof NotificationContent;

/** Characters of a part that is sent. */
const OUTPUT_MAX = 4 * 1024 * 1024;
const SUBJECT_MAX = 900;

/** A message that cannot be rendered. The sentence shows what stands in the template, and no values. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly part: MessagePart;
  /** In the compiled part, from 1. */
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
 * Renders a message. What `{{ }}` prints is escaped in the HTML, unless the template says `| raw`. A variable
 * without a value is an error unless `default` follows it; one whose value is null prints nothing. Custom
 * fields are found under their own names and under `member`.
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
export const renderText = (part: MessagePart, template: string, variables: MessageVariables): string =>
  renderPart(part, 'text', template, namesOf(variables));

function namesOf(variables: MessageVariables): Record<string, unknown> {
  const { member, data, unsubscribeUrl, preferencesUrl } = variables;
  return {
    // Absent where there is none: a property of null would print nothing.
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
    // A copy: `increment` and `decrement` write into it.
    output = renderLiquid(kind, template, { ...names });
  } catch (error) {
    throw new RenderError(part, sentence(part, error), placeOf(error));
  }
  if (output.length > max)
    throw new RenderError(part, `The ${part} has more than ${max} characters.`, { line: 1, column: 1 });
  return output;
}

/** No line break may reach a header, whatever a variable has. */
const oneLine = (subject: string): string => subject.replace(LINE_BREAKS, ' ').trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: a header must not have them
const LINE_BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Messages of liquidjs may quote values, and are not shown. */
function sentence(part: MessagePart, error: unknown): string {
  const { line, column } = placeOf(error);
  const place = `, at line ${line}, column ${column} of the ${part}`;
  const source = LiquidError.is(error) ? error.token.getText().slice(0, 100) : '';
  const message = parseMessage(error);
  if (message.startsWith('undefined variable')) return `${source} has no value${place}.`;
  if (message.includes('limit exceeded')) return `The template takes too long or grows too large${place}.`;
  return `${source || 'The template'} cannot be evaluated${place}.`;
}
