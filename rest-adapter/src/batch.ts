import { AppError } from '@loyalty/platform/base/errors';
import { type Received, readVariables } from './input.ts';
import type { Row } from './table/row.ts';
import type { RowOperation } from './table/row-operation.ts';

/** The documented maximum of a batch; the graph checks it, too. */
const ITEMS_MAX = 100;

/** The valid items of a batch, which are sent to the graph, and the errors of the others. */
interface Batch {
  readonly variables: Record<string, unknown>;
  /** Indexes of the items that are sent. */
  readonly sent: readonly number[];
  /** Errors of the items that are not sent, by index. */
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * Variables for a row whose items succeed or fail one by one. An item that does not fit its type is not sent,
 * but kept with its error: input of the graph is typed, so the graph would refuse the whole batch.
 *
 * @returns null where all items fit, or where the batch itself does not
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

/** The sentence begins with the field of the item, as the graph's own sentences do. */
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
 * The reply for all items, in their order.
 *
 * @param reply - the graph's reply for the items that were sent; null where none was sent
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

/** Counts stay as they are: none of them counts rejected items. */
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

/** Was the batch refused only because no valid item is left? Then the graph has admitted the caller. */
export const isOnlyEmpty = (row: Row, { sent }: Batch, { code, details: { field } }: AppError): boolean =>
  sent.length === 0 && code === 'VALIDATION_FAILED' && field === row.itemsField;
