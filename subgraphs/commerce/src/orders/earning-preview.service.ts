import { notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { evaluateEarning } from '../earning-rules/earning-rules.service.ts';
import { type EarningLine, multiplied } from '../earning-rules/evaluate-earning.ts';
import { checkAmount } from '../money.ts';
import { findMember } from '../peers.ts';
import { checkItems, earningItems, type OrderItemInput } from './order-items.ts';

interface PreviewInput {
  readonly memberId?: string | null | undefined;
  readonly total: number | bigint;
  readonly currency: string;
  readonly occurredAt?: Date | null | undefined;
  readonly items?: readonly OrderItemInput[] | null | undefined;
}

export interface EarningPreview {
  readonly basePoints: number;
  readonly tierMultiplier: number;
  readonly points: number;
  readonly lines: readonly EarningLine[];
}

/**
 * Computes the points that an order would earn with the current rules and tier of the member. Writes nothing.
 *
 * @param input.total - minor units
 * @throws AppError VALIDATION_FAILED (400), MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function previewEarning(ctx: Context, input: PreviewInput): Promise<EarningPreview> {
  const items = checkItems('input.items', input.items);
  const totalMinor = checkAmount('input.total', input.total);
  const { memberId, currency } = input;
  const member = memberId ? await findMember(ctx, memberId) : null;
  if (memberId && !member) throw notFound('member', memberId);
  const { points: basePoints, lines } = await evaluateEarning(ctx, {
    kind: 'ORDER',
    totalMinor,
    currency,
    occurredAt: input.occurredAt ?? ctx.clock.now(),
    items: earningItems(items),
  });
  const tierMultiplier = member?.tierMultiplier ?? 1;
  return { basePoints, tierMultiplier, points: multiplied(basePoints, tierMultiplier), lines };
}
