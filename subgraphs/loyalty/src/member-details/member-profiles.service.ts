import { inTurns } from '@loyalty/platform/base/batches';
import { invalid } from '@loyalty/platform/base/errors';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import type { MemberProfile, MemberProfilesPage } from '#generated/schema';
import { grantedPurposes } from '../consents/consents.service.ts';
import { openFor, openMemberKey, personalContexts } from '../members/sealing.ts';
import { findStores } from '../stores.service.ts';
import { getProgram } from '../tiers/programs.service.ts';
import {
  findProfileRows,
  type MemberProfileRow,
  profileRowsAfter,
  type TierLapse,
  visitsOfMembers,
} from './member-profiles.store.ts';

const PAGE_MAX = 1_000;

/**
 * Returns the data of members for segments; 1,000 members take as many statements and peer questions as one.
 */
export async function memberProfiles(
  ctx: Context,
  wanted: { readonly ids: readonly string[]; readonly visitsOf: readonly string[]; readonly since: Date },
): Promise<MemberProfile[]> {
  const rows = await findProfileRows(ctx, wanted.ids, await lapseOf(ctx));
  return present(ctx, rows, { of: new Set(wanted.visitsOf), since: wanted.since });
}

/**
 * Returns the data of the members after an id, sorted by id.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function memberProfilesPage(
  ctx: Context,
  wanted: {
    readonly afterId: string;
    readonly first: number;
    readonly withVisits: boolean;
    readonly since: Date;
  },
): Promise<MemberProfilesPage> {
  const { afterId, first, withVisits, since } = wanted;
  if (first < 1 || first > PAGE_MAX) throw invalid('first', between(1, PAGE_MAX));
  const rows = await profileRowsAfter(ctx, { afterId, limit: first }, await lapseOf(ctx));
  const of = new Set(withVisits ? rows.map(({ memberId }) => memberId) : []);
  const toId = rows.length < first ? null : rows.at(-1)!.memberId;
  return { members: await present(ctx, rows, { of, since }), toId };
}

async function lapseOf(ctx: Context): Promise<TierLapse> {
  const { tierBasis, tierPeriodDays, downgradePolicy } = await getProgram(ctx);
  return { rollingDays: tierBasis === 'ROLLING' ? tierPeriodDays : null, policy: downgradePolicy };
}

async function present(
  ctx: Context,
  rows: readonly MemberProfileRow[],
  wanted: { readonly of: ReadonlySet<string>; readonly since: Date },
): Promise<MemberProfile[]> {
  const ids = rows.flatMap(({ memberId }) => (wanted.of.has(memberId) ? [memberId] : []));
  const visits = await visitsOfMembers(ctx, ids, wanted.since);
  const zoneOf = await timeZones(ctx, rows);
  const profiles: MemberProfile[] = [];
  for await (const { keySealed, birthSealed, ownTimeZone, decided, pointsEarned, ...row } of inTurns(rows))
    profiles.push({
      ...row,
      timeZone: ownTimeZone ?? zoneOf(row.homeStoreId),
      birthday: await birthdayOf(ctx, { memberId: row.memberId, keySealed, birthSealed }),
      consents: grantedPurposes(decided),
      pointsEarned: Number(pointsEarned),
      visits: visits.get(row.memberId) ?? null,
    });
  return profiles;
}

/** Month times 100 plus day; the year is left out. */
async function birthdayOf(
  ctx: Context,
  member: Pick<MemberProfileRow, 'memberId' | 'keySealed' | 'birthSealed'>,
): Promise<number | null> {
  const { memberId: id, keySealed, birthSealed } = member;
  if (!birthSealed) return null;
  const key = await openMemberKey(ctx, { id, keySealed });
  if (!key) return null;
  const [, month, day] = openFor(key, birthSealed, personalContexts.birthOn).split('-');
  return Number(month) * 100 + Number(day);
}

/** Returns the time zone of members without one; stores and workspace are read only if needed. */
async function timeZones(
  ctx: Context,
  rows: readonly MemberProfileRow[],
): Promise<(homeStoreId: string | null) => string> {
  const without = rows.filter(({ ownTimeZone }) => !ownTimeZone);
  const storeIds = [...new Set(without.flatMap(({ homeStoreId }) => homeStoreId ?? []))];
  const stores = storeIds.length > 0 ? await findStores(ctx, storeIds) : [];
  const ofStore = new Map(stores.map(({ id, timeZone }) => [id, timeZone]));
  const ofWorkspace = without.length > 0 ? await timeZoneOf(ctx) : 'UTC';
  return (homeStoreId) => ofStore.get(homeStoreId ?? '') ?? ofWorkspace;
}
