import type { Context } from '@loyalty/platform/context';
import { lockBulkWrites } from './bulk-jobs/job-stops.service.ts';
import { deleteMemberData, readMemberData } from './member-data.store.ts';
import { forgetSamples, samplesAbout } from './versions/member-samples.service.ts';

/** Returns all data of this subgraph about a member, by section, as JSON; amounts in minor units. */
export async function memberData(ctx: Context, memberId: string): Promise<Record<string, unknown>> {
  const samples = await samplesAbout(ctx, memberId);
  const data = { ...(await readMemberData(ctx, memberId)), samples };
  // JSON has no bigint; amounts are exact as numbers.
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  return JSON.parse(JSON.stringify(data, plain)) as Record<string, unknown>;
}

/**
 * Deletes all data of this subgraph about an erased member; a repeated call has no effect.
 *
 * @remarks Source: GDPR article 17
 */
export const forgetMember = (ctx: Context, memberId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    // Results about the member that a bulk job writes meanwhile are deleted, too, or are not written.
    await lockBulkWrites(tx, 'STOPS');
    // Must come before the mappings are deleted, because it uses their ids.
    await forgetSamples(tx, memberId);
    await deleteMemberData(tx, memberId);
  });
