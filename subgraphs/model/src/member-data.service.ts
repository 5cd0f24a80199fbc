import type { Context } from '@loyalty/platform/context';
import { lockBulkWrites } from './bulk-jobs/job-stops.service.ts';
import { deleteMemberData, readMemberData } from './member-data.store.ts';
import { forgetSamples, samplesAbout } from './versions/member-samples.service.ts';

/** All that this subgraph holds about a member, by section, as JSON; amounts in minor units. */
export async function memberData(ctx: Context, memberId: string): Promise<Record<string, unknown>> {
  const samples = await samplesAbout(ctx, memberId);
  const data = { ...(await readMemberData(ctx, memberId)), samples };
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
    // By the ids that the mappings have.
    await forgetSamples(tx, memberId);
    await deleteMemberData(tx, memberId);
  });
