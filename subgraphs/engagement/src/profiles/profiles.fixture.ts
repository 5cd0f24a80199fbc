import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { putOccurrences } from './occurrences.store.ts';
import { moveRebuild, startSync } from './profile-syncs.store.ts';
import { noteProfileChanges } from './profiles.jobs.ts';
import { type OccurrenceRow, type ProfileRow, putProfiles } from './profiles.store.ts';
import { refreshDue } from './refresh-due.service.ts';

/** Events that were passed on already, by the database of each test. */
const seen = new WeakMap<Services['database'], Set<string>>();

/** Passes newly published events of the workspace on to profiles, as the relay does. */
export async function noteEvents(ctx: Context): Promise<void> {
  const { database } = ctx.services;
  const known = seen.get(database) ?? new Set();
  seen.set(database, known);
  const events = await ctx.sql.query<PublishedEvent>(
    `SELECT id, type, workspace_id, mode, payload, created_at
       FROM platform.outbox WHERE workspace_id = $1 AND type = ANY($2) AND id <> ALL($3::uuid[])
      ORDER BY id`,
    [ctx.scope.workspaceId, [...noteProfileChanges.types], [...known]],
  );
  if (events.length === 0) return;
  await ctx.transaction((tx) => noteProfileChanges.take(tx, events));
  for (const { id } of events) known.add(id);
}

/** Applies all events to profiles and memberships, in all workspaces with profiles. */
export async function refreshProfiles(ctx: Context): Promise<void> {
  await noteEvents(ctx);
  while (await refreshDue(ctx));
}

type GivenOccurrence = Pick<OccurrenceRow, 'memberId' | 'kind'> & Partial<OccurrenceRow>;

const EMPTY: Omit<ProfileRow, 'memberId' | 'createdAt' | 'lastActivityAt'> = {
  status: 'ACTIVE',
  enrollmentSource: 'API',
  isRestricted: false,
  hasEmail: true,
  locale: null,
  timeZone: 'UTC',
  homeStoreId: null,
  birthday: null,
  customAttributes: {},
  tags: [],
  consents: [],
  tierId: null,
  tierRank: null,
  tierChangedAt: null,
  tierLapsesAt: null,
  pointsBalance: 0,
  pointsEarned: 0,
  pointsExpireAt: null,
  visitCount: 0,
  lastVisitAt: null,
  openCoupons: 0,
  orderCount: 0,
  orderRevenueMinor: 0,
  firstOrderAt: null,
  lastOrderAt: null,
  purchaseScore: null,
  longGapScore: null,
  cartRemovalScore: null,
  overdueCycles: null,
  nextOrderOn: null,
  nextOrderConfidence: null,
  isLikelyLapsed: null,
};

/**
 * Inserts profiles of members that loyalty does not have, and marks the profiles as complete.
 *
 * @returns the ids of the members, in the order of the rows
 */
export async function givenProfiles(
  ctx: Context,
  rows: readonly Partial<ProfileRow>[],
  occurrences: readonly GivenOccurrence[] = [],
): Promise<string[]> {
  const now = ctx.clock.now();
  const profiles = rows.map(
    (row): ProfileRow => ({
      ...EMPTY,
      memberId: newId(ctx.clock),
      createdAt: now,
      lastActivityAt: now,
      ...row,
    }),
  );
  await startSync(ctx);
  await moveRebuild(ctx, null);
  await putProfiles(
    ctx,
    profiles.map((row) => ({ basic: row, visits: row, orders: row, signals: row })),
  );
  await putOccurrences(
    ctx,
    occurrences.map((row) => ({
      name: '',
      occurredAt: now,
      refId: newId(ctx.clock),
      placeId: null,
      amountMinor: null,
      data: null,
      ...row,
    })),
  );
  return profiles.map(({ memberId }) => memberId);
}
