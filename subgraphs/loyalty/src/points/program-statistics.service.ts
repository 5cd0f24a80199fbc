import type { Context } from '@loyalty/platform/context';
import { dayRange, everyDay } from '@loyalty/platform/database/day-range';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { memberCreated } from '../members/members.events.ts';
import { pointsAwarded, pointsExpired, pointsRedeemed } from './points.events.ts';
import { addCounts, countsByDay, type ProgramCounts, type ProgramDay } from './program-statistics.store.ts';

export type { ProgramDay };

const NOTHING: ProgramCounts = { joined: 0, issued: 0, spent: 0, expired: 0, withdrawn: 0 };

/**
 * Returns new members and points by day of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`, PEER_UNAVAILABLE (503)
 */
export async function programStatistics(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<ProgramDay[]> {
  const range = await dayRange(ctx, wanted);
  const rows = await countsByDay(ctx, range);
  return everyDay(range, rows, { joined: 0, issued: 0n, spent: 0n, expired: 0n, withdrawn: 0n });
}

/** Counts events of any workspaces; each event is delivered once. */
export const countProgramEvents = (tx: Context, events: readonly PublishedEvent[]): Promise<void> =>
  addCounts(
    tx,
    events.map((event) => ({ ...event, at: event.createdAt, ...countsOf(event) })),
  );

/** Counts imported members: their import publishes no event for each. */
export async function countImported(tx: Context, joined: number): Promise<void> {
  if (joined > 0) await addCounts(tx, [{ ...tx.scope, at: tx.clock.now(), ...NOTHING, joined }]);
}

function countsOf({ type, payload }: PublishedEvent): ProgramCounts {
  if (type === memberCreated.type) return { ...NOTHING, joined: 1 };
  const { amount } = payload as { amount: number };
  if (type === pointsRedeemed.type) return { ...NOTHING, spent: -amount };
  if (type === pointsExpired.type) return { ...NOTHING, expired: -amount };
  if (type === pointsAwarded.type || amount > 0) return { ...NOTHING, issued: amount };
  return { ...NOTHING, withdrawn: -amount };
}
