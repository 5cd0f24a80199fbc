import type { Context } from '@loyalty/platform/context';
import { campaignsWithSegment } from './campaign-uses.store.ts';

/** The campaigns that send to a segment now, or will: it cannot be deleted meanwhile. */
export async function campaignsUsing(
  ctx: Context,
  segmentId: string,
): Promise<{ readonly kind: 'CAMPAIGN'; readonly id: string; readonly name: string }[]> {
  const campaigns = await campaignsWithSegment(ctx, segmentId);
  return campaigns.map((campaign) => ({ kind: 'CAMPAIGN', ...campaign }));
}
