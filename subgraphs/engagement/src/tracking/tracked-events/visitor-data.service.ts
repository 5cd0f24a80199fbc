import type { Context } from '@loyalty/platform/context';
import { deleteMemberTracking, memberTracking } from './visitor-data.store.ts';

/** The tracked events of a member and the visitors that it was, for an export. */
export const trackingOfMember = (ctx: Context, memberId: string): Promise<Record<string, unknown>> =>
  memberTracking(ctx, memberId);

/** Deletes the tracked events of a member who was erased. */
export const forgetTracking = (ctx: Context, memberId: string): Promise<void> =>
  deleteMemberTracking(ctx, memberId);
