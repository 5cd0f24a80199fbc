import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columnOf } from '@loyalty/prisma/columns';
import type { MemberOrdersFragment, MemberProfileFragment, MemberSignalsFragment } from '#generated/peers';

/** The basic fields, which any change of a member may change. */
type BasicProfile = Omit<MemberProfileFragment, 'visits'>;

/** Figures of visits and coupons. */
type VisitFigures = Omit<NonNullable<MemberProfileFragment['visits']>, 'occurrences'>;

/** Figures of all orders except cancelled ones. */
export type OrderFigures = Omit<MemberOrdersFragment, 'memberId' | 'orders'>;

/** Scores and predictions of the model; all null if there are none. */
export type SignalFigures = Omit<MemberSignalsFragment, 'memberId' | 'isLikelyLapsed'> & {
  readonly isLikelyLapsed: boolean | null;
};

/** As text or as Date. */
type Written<Part> = {
  readonly [Field in keyof Part]: Part[Field] | (Field extends `${string}At` ? Date : never);
};

/** The profile of a member: a copy of their data for segments, which events keep current. */
export type ProfileRow = Written<BasicProfile & VisitFigures & OrderFigures & SignalFigures>;

/**
 * The parts of a profile that are written. A part that is null does not change; in a new profile it is empty.
 */
export interface ProfileParts {
  readonly basic: Written<BasicProfile>;
  readonly visits: Written<VisitFigures> | null;
  readonly orders: Written<OrderFigures> | null;
  readonly signals: SignalFigures | null;
}

export type OccurrenceKind = 'ORDER' | 'VISIT' | 'COUPON_ISSUED' | 'COUPON_REDEEMED' | 'TRACKED' | 'RECORD';

/** An event or a record of a member that segments count. */
export interface OccurrenceRow {
  readonly memberId: string;
  readonly kind: OccurrenceKind;
  /** For TRACKED, the event; for RECORD, the name of the object type; empty for others. */
  readonly name: string;
  readonly occurredAt: Date | string;
  /** Id of the order, visit, coupon, tracked event or record. */
  readonly refId: string;
  /** Id of the store of an order or visit, or of the pool of a coupon. */
  readonly placeId: string | null;
  /** For an order: the amount without refunds, in minor units. */
  readonly amountMinor: number | null;
  /** For a record: its fields. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Columns of each part, with their types. Columns of an absent part do not change. */
const parts = {
  basic: {
    status: 'text',
    enrollmentSource: 'text',
    isRestricted: 'boolean',
    hasEmail: 'boolean',
    locale: 'text',
    timeZone: 'text',
    homeStoreId: 'uuid',
    birthday: 'smallint',
    createdAt: 'timestamptz',
    lastActivityAt: 'timestamptz',
    customAttributes: 'jsonb',
    tags: 'text[]',
    consents: 'text[]',
    tierId: 'uuid',
    tierRank: 'int',
    tierChangedAt: 'timestamptz',
    tierLapsesAt: 'timestamptz',
    pointsBalance: 'int',
    pointsEarned: 'bigint',
    pointsExpireAt: 'timestamptz',
  },
  visits: { visitCount: 'int', lastVisitAt: 'timestamptz', openCoupons: 'int' },
  orders: {
    orderCount: 'int',
    orderRevenueMinor: 'bigint',
    firstOrderAt: 'timestamptz',
    lastOrderAt: 'timestamptz',
  },
  signals: {
    purchaseScore: 'float8',
    longGapScore: 'float8',
    cartRemovalScore: 'float8',
    overdueCycles: 'float8',
    nextOrderOn: 'date',
    nextOrderConfidence: 'text',
    isLikelyLapsed: 'bool',
  },
} as const;

/** SQL of a column's value in a new profile without its part. */
const emptyOf = (field: string): string => (/(Count|Minor|Coupons)$/.test(field) ? '0' : 'NULL');

/** SQL of a column's value: from the given row `g`, or, without its part, from the existing row `p`. */
const sourceOf = (part: string, field: string): string =>
  part === 'basic'
    ? `g."${field}"`
    : `CASE WHEN g."${part}" THEN g."${field}" WHEN p.member_id IS NULL THEN ${emptyOf(field)}
            ELSE p.${columnOf(field)} END`;

const columns = Object.entries(parts).flatMap(([part, fields]) =>
  Object.entries(fields).map(([field, type]) => ({
    column: columnOf(field),
    given: `"${field}" ${type}`,
    value: sourceOf(part, field),
  })),
);

const PUT = `INSERT INTO engagement.profiles AS old
    (workspace_id, mode, member_id, ${columns.map(({ column }) => column).join(', ')}, refreshed_at)
  SELECT $1, $2::platform."Mode", g."memberId", ${columns.map(({ value }) => value).join(', ')}, $4
    FROM jsonb_to_recordset($3::jsonb)
         AS g("memberId" uuid, visits boolean, orders boolean, signals boolean,
              ${columns.map(({ given }) => given).join(', ')})
    LEFT JOIN engagement.profiles AS p ON ${inScope('p')} AND p.member_id = g."memberId"
  ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
     SET (${columns.map(({ column }) => column).join(', ')}, refreshed_at)
       = (${columns.map(({ column }) => `excluded.${column}`).join(', ')}, excluded.refreshed_at)`;

/** Writes profiles with one statement. The caller has locked the profiles of the workspace and mode. */
export async function putProfiles(tx: Context, profiles: readonly ProfileParts[]): Promise<void> {
  if (profiles.length === 0) return;
  const rows = profiles.map(({ basic, visits, orders, signals }) => ({
    ...basic,
    ...visits,
    ...orders,
    ...signals,
    visits: visits !== null,
    orders: orders !== null,
    signals: signals !== null,
  }));
  await tx.sql.query(PUT, [...scopeOf(tx), JSON.stringify(rows), tx.clock.now()]);
}

/** Returns the given members who have a profile. */
export async function membersWithProfile(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT member_id AS id FROM engagement.profiles
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the members of a range of ids who have a profile. */
export async function profilesBetween(
  ctx: Context,
  { afterId, toId }: { readonly afterId: string; readonly toId: string },
): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT member_id AS id FROM engagement.profiles
      WHERE ${inScope()} AND member_id > $3 AND member_id <= $4`,
    [...scopeOf(ctx), afterId, toId],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the profiles and occurrences of members. */
export async function deleteProfiles(tx: Context, memberIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    `WITH profiles AS (
       DELETE FROM engagement.profiles WHERE ${inScope()} AND member_id = ANY($3::uuid[])
     )
     DELETE FROM engagement.occurrences WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(tx), memberIds],
  );
}

/** Returns the profile of a member, for an export. */
export async function profileOf(ctx: Context, memberId: string): Promise<Record<string, unknown> | null> {
  const [profile] = await ctx.sql.query<Record<string, unknown>>(
    `SELECT ${columns.map(({ column }) => column).join(', ')}
       FROM engagement.profiles WHERE ${inScope()} AND member_id = $3`,
    [...scopeOf(ctx), memberId],
  );
  return profile ?? null;
}
