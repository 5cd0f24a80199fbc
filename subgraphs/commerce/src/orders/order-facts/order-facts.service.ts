import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { NO_ID } from '@loyalty/platform/values/ids';
import { between } from '@loyalty/platform/values/input-rules';
import type { OrderFacts } from '#generated/schema';
import { findOrderFacts, orderFactsAfter } from './order-facts.store.ts';

const PAGE_MAX = 1_000;

/** What the model ingests about orders, by id. */
export const orderFacts = (ctx: Context, ids: readonly string[]): Promise<OrderFacts[]> =>
  findOrderFacts(ctx, ids);

/**
 * What the model ingests about the orders of an import or of a member, ordered by id.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function orderFactsPage(
  ctx: Context,
  wanted: {
    readonly importId?: string | null | undefined;
    readonly memberId?: string | null | undefined;
    readonly afterId?: string | null | undefined;
    readonly first: number;
  },
): Promise<OrderFacts[]> {
  const { importId = null, memberId = null, afterId, first } = wanted;
  if (!importId === !memberId) throw invalid('importId', 'or memberId must be given, and not both');
  if (first < 1 || first > PAGE_MAX) throw invalid('first', between(1, PAGE_MAX));
  return orderFactsAfter(ctx, { importId, memberId, afterId: afterId ?? NO_ID, limit: first });
}
