import type { Context } from '@loyalty/platform/context';
import { lockBulkWrites } from '../bulk-jobs/jobs/job-stops.service.ts';
import { deleteMemberData, readMemberData } from './member-data.store.ts';

/** All that this subgraph holds about a member, by section, as JSON; amounts in minor units. */
export async function memberData(ctx: Context, memberId: string): Promise<Record<string, unknown>> {
  const data = await readMemberData(ctx, memberId);
  // JSON knows no bigint; amounts are exact as numbers.
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  return JSON.parse(JSON.stringify(data, plain)) as Record<string, unknown>;
}

/**
 * Deletes all that this subgraph holds about an erased member; once more deletes nothing.
 *
 * @remarks Source: GDPR article 17
 */
export const forgetMember = (ctx: Context, memberId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    // What a bulk job writes about the member meanwhile is deleted, too, or is not written.
    await lockBulkWrites(tx, 'STOPS');
    await deleteMemberData(tx, memberId);
  });
