import { AppError } from '@loyalty/platform/base/errors';
import { type Received, readVariables } from './input.ts';
import type { Row } from './table/row.ts';
import type { RowOperation } from './table/row-operation.ts';

/** Documented maximum of items in a batch. The graph checks it, too. */
const ITEMS_MAX = 100;

/** The valid items of a batch, which are sent to the graph, and the errors of the other items. */
interface Batch {
  readonly variables: Record<string, unknown>;
  /** Indexes of the items that are sent. */
  readonly sent: readonly number[];
  /** Errors of the items that are not sent, by index. */
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * Returns the variables for a batch in which each item succeeds or fails independently. An invalid item is
 * not sent, because the graph would refuse the whole batch. Its error is kept instead.
 *
 * @returns null if all items are valid, or if the body has no list of items or too many items
 * @throws AppError if something outside the items is invalid
 */
export function readBatch(row: Row, operation: RowOperation, received: Received): Batch | null {
  const { itemsField = '' } = row;
  const body = received.body as Readonly<Record<string, unknown>> | undefined;
  const items = body?.[itemsField];
  if (!Array.isArray(items) || items.length > ITEMS_MAX) return null;
  const read = (some: readonly unknown[]) =>
    readVariables(row, operation, { ...received, body: { ...body, [itemsField]: some } });
  const envelope = read([]);
  const good: unknown[] = [];
  const sent: number[] = [];
  const refused = new Map<number, string>();
  for (const [index, item] of items.entries()) {
    try {
      good.push(...(read([item])[itemsField] as unknown[]));
      sent.push(index);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.set(index, sentenceOf(error, itemsField, index));
    }
  }
  return refused.size > 0 ? { variables: { ...envelope, [itemsField]: good }, sent, refused } : null;
}

/**
 * Each item is checked alone, as item 0. Removes `[0]` before a field of the item, as in sentences of the
 * graph, and replaces it by the real index in a sentence about the item itself.
 */
function sentenceOf({ message }: AppError, itemsField: string, index: number): string {
  const alone = `${itemsField}[0]`;
  if (message.startsWith(`${alone}.`)) return message.slice(alone.length + 1);
  return message.startsWith(alone) ? `${itemsField}[${index}]${message.slice(alone.length)}` : message;
}

interface BatchReply {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: readonly { readonly index: number; readonly ok: boolean }[];
}

/**
 * Returns the reply for all items, in the order of the request.
 *
 * @param reply - the graph's reply for the items that were sent; null if none was sent
 */
export function joinBatch(
  { rejectedField }: Pick<Row, 'rejectedField'>,
  batch: Batch,
  reply: unknown,
): object {
  return rejectedField ? joinRejected(rejectedField, batch, reply) : joinResults(batch, reply);
}

interface RejectedItem {
  readonly index: number;
  readonly error: string;
}

/** The counts of the graph need no change, because none of them counts rejected items. */
function joinRejected(field: string, { sent, refused }: Batch, reply: unknown): object {
  const { [field]: rejected = [], ...counts } = (reply ?? NOTHING_SENT) as Readonly<Record<string, unknown>>;
  const placed = (rejected as readonly RejectedItem[]).map(({ index, error }) => ({
    index: sent[index]!,
    error,
  }));
  const failed = [...refused].map(([index, error]) => ({ index, error }));
  return { ...counts, [field]: [...placed, ...failed].sort((one, other) => one.index - other.index) };
}

const NOTHING_SENT = { accepted: 0, duplicates: 0 };

function joinResults({ sent, refused }: Batch, reply: unknown): object {
  const { results = [], ...counts } = (reply ?? {}) as Partial<BatchReply>;
  const failed = [...refused].map(([index, error]) => ({
    ...{ index, ok: false, id: null, created: null },
    error,
  }));
  const placed = results.map((result) => ({ ...result, index: sent[result.index]! }));
  const all = [...placed, ...failed].sort((one, other) => one.index - other.index);
  const succeeded = all.filter(({ ok }) => ok).length;
  return { ...counts, total: all.length, succeeded, failed: all.length - succeeded, results: all };
}

/**
 * Returns whether the graph refused only the empty list, because all items were invalid. The graph has then
 * admitted the caller.
 */
export const isOnlyEmpty = (row: Row, { sent }: Batch, { code, details: { field } }: AppError): boolean =>
  sent.length === 0 && code === 'VALIDATION_FAILED' && field === row.itemsField;
