import { checkEmail } from '@loyalty/platform/base/email';
import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkStorable, checkText } from '@loyalty/platform/base/input';
import { givenWith, notWith } from '@loyalty/platform/base/input-rules';

const SUBJECT_LENGTH_MAX = 300;
const HTML_LENGTH_MAX = 200_000;
const DATA_BYTES_MAX = 65_536;
const KEY_LENGTH_MAX = 200;

type Optional<T> = T | null | undefined;

export interface SendTransactional {
  readonly templateId?: Optional<string>;
  readonly subject?: Optional<string>;
  readonly html?: Optional<string>;
  readonly to?: Optional<string>;
  readonly memberId?: Optional<string>;
  readonly data?: Optional<Record<string, unknown>>;
  readonly idempotencyKey?: Optional<string>;
  readonly category?: Optional<'TRANSACTIONAL' | 'MARKETING'>;
}

/** Content of a message without a template. */
interface InlineContent {
  readonly subject: string;
  readonly html: string;
}

/** The normalized request. Equal requests have equal values. */
export interface TransactionalRequest {
  readonly templateId: string | null;
  /** Null with a template. */
  readonly inline: InlineContent | null;
  /** Null with a member. */
  readonly to: string | null;
  readonly memberId: string | null;
  readonly data: Record<string, unknown>;
  readonly category: 'TRANSACTIONAL' | 'MARKETING' | null;
}

/** @throws AppError VALIDATION_FAILED (400) naming every wrong field */
export function checkTransactional(input: SendTransactional): TransactionalRequest {
  const { templateId = null, memberId = null, category = null } = input;
  return gathered((check) => ({
    templateId,
    to: check(() => recipientOf(input)),
    memberId: check(() => {
      if (memberId === null && category === 'MARKETING')
        throw invalid('input.memberId', 'must be given for a marketing message');
      return memberId;
    }),
    inline: check(() => inlineOf(templateId, input)),
    data: check(() => checkedData(input.data ?? {})),
    category,
  }));
}

/** Null with a member. */
function recipientOf({ to = null, memberId = null }: SendTransactional): string | null {
  if (to !== null && memberId !== null) throw invalid('input.memberId', notWith('to'));
  if (to === null && memberId === null) throw invalid('input.to', 'must be given, or memberId instead');
  return to === null ? null : checkEmail('input.to', to);
}

/** @throws AppError VALIDATION_FAILED (400) */
export const checkKey = (key: Optional<string>): string | null =>
  key == null ? null : checkText('input.idempotencyKey', key, KEY_LENGTH_MAX);

function inlineOf(templateId: string | null, { subject, html }: SendTransactional): InlineContent | null {
  if (templateId !== null) {
    for (const [name, value] of Object.entries({ subject, html }))
      if (value != null) throw invalid(`input.${name}`, notWith('templateId'));
    return null;
  }
  if (subject == null && html == null)
    throw invalid('input.templateId', 'must be given, or subject and html instead');
  if (subject == null) throw invalid('input.subject', givenWith('html'));
  if (html == null) throw invalid('input.html', givenWith('subject'));
  return gathered((check) => ({
    subject: check(() => checkText('input.subject', subject, SUBJECT_LENGTH_MAX)),
    html: check(() => checkText('input.html', html, HTML_LENGTH_MAX)),
  }));
}

function checkedData(data: Record<string, unknown>): Record<string, unknown> {
  checkStorable('input.data', data);
  if (Buffer.byteLength(JSON.stringify(data)) > DATA_BYTES_MAX)
    throw invalid('input.data', `must be at most ${DATA_BYTES_MAX.toLocaleString('en')} bytes of JSON`);
  return data;
}

/** The request as text; the order of fields in `data` does not matter. */
export const canonicalText = (request: TransactionalRequest): string => JSON.stringify(ordered(request));

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([name, field]) => [name, ordered(field)]);
}
