import { AppError } from '@loyalty/platform/errors';
import { type Received, readVariables } from './input.ts';
import type { Row } from './table/row.ts';
import type { RowOperation } from './table/row-operation.ts';

/** The most that a batch may have, as documented; the graph counts again. */
const ITEMS_MAX = 100;

/** A batch as it is sent to the graph, and what of it is not. */
interface Batch {
  readonly variables: Record<string, unknown>;
  /** Places of the items that are sent. */
  readonly sent: readonly number[];
  /** Places and errors of the items that are not. */
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * Variables for a row whose items are each done by themselves: an item that does not fit its type is set
 * aside with what is wrong with it, because the graph, where input is typed, would refuse the whole batch.
 *
 * @returns null where all items fit, or where it is the batch as a whole that does not
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

/** Begins with the field of the item, as the graph's own sentences do. */
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
 * @param answered - for those that were sent; null where none was left to send
 */
export function joinBatch({ sent, refused }: Batch, answered: unknown): object {
  const { results = [], ...counts } = (answered ?? {}) as Partial<BatchReply>;
  const failed = [...refused].map(([index, error]) => ({
    ...{ index, ok: false, id: null, created: null },
    error,
  }));
  const placed = results.map((result) => ({ ...result, index: sent[result.index]! }));
  const all = [...placed, ...failed].sort((one, other) => one.index - other.index);
  const succeeded = all.filter(({ ok }) => ok).length;
  return { ...counts, total: all.length, succeeded, failed: all.length - succeeded, results: all };
}

/** Was it only that no item is left? The graph has judged the caller before it counts. */
export const isOnlyEmpty = (row: Row, { sent }: Batch, { code, details: { field } }: AppError): boolean =>
  sent.length === 0 && code === 'VALIDATION_FAILED' && field === row.itemsField;
