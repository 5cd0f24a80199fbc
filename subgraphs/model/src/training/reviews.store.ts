import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import type { VersionKind, VersionOrigin, VersionSubject } from '../versions/model-version.ts';

export const isSeparated = async (ctx: Context): Promise<boolean> =>
  (await ctx.prisma.reviewSeparation.findFirst({ where: {}, select: columns('createdAt') })) !== null;

/** Returns false if nothing changed. */
export async function changeSeparation(tx: Context, isRequired: boolean): Promise<boolean> {
  const made = { actor: tx.caller.actor, createdAt: tx.clock.now() };
  const { count } = isRequired
    ? await tx.prisma.reviewSeparation.createMany({ data: [made], skipDuplicates: true })
    : await tx.prisma.reviewSeparation.deleteMany({ where: {} });
  return count > 0;
}

/** The identity of a published version. */
export type PublishedKey = `${VersionKind}:${VersionSubject}:${VersionOrigin}`;

/** Loads the newest published version of each key. */
export const publishedByKey: Loader<string, string> = loader(async (ctx) => {
  const rows = await ctx.sql.query<{ key: string; id: string }>(
    `SELECT DISTINCT ON (v.kind, v.subject, v.origin)
            v.kind || ':' || v.subject || ':' || v.origin AS key, v.id
       FROM model.model_versions AS v
      WHERE ${inScope('v')} AND v.status = 'PUBLISHED'
      ORDER BY v.kind, v.subject, v.origin, v.published_at DESC, v.id DESC`,
    scopeOf(ctx),
  );
  return new Map(rows.map(({ key, id }) => [key, id]));
});

const RANGES = 50;

const OF_EACH_RANGE = 100;

/**
 * Returns up to 5,000 members with facts, the same ones each time: the first 100 of 50 equal ranges of ids,
 * which follow the time of enrolment.
 */
export async function sampledMembers(ctx: Context): Promise<string[]> {
  const [bounds] = await ctx.sql.query<{ first: string | null; last: string | null }>(
    `SELECT (SELECT member_id FROM model.member_statistics WHERE ${inScope()} ORDER BY member_id LIMIT 1)
              AS first,
            (SELECT member_id FROM model.member_statistics WHERE ${inScope()} ORDER BY member_id DESC LIMIT 1)
              AS last`,
    scopeOf(ctx),
  );
  if (!bounds?.first || !bounds.last) return [];
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT DISTINCT m.member_id AS id
       FROM unnest($3::uuid[]) AS range(start)
      CROSS JOIN LATERAL (
              SELECT s.member_id FROM model.member_statistics AS s
               WHERE ${inScope('s')} AND s.member_id >= range.start
               ORDER BY s.member_id LIMIT ${OF_EACH_RANGE}) AS m
      ORDER BY id`,
    [...scopeOf(ctx), startsBetween(bounds.first, bounds.last)],
  );
  return rows.map(({ id }) => id);
}

function startsBetween(first: string, last: string): string[] {
  const [from, until] = [numberOfUuid(first), numberOfUuid(last)];
  const ranges = BigInt(RANGES);
  return Array.from({ length: RANGES }, (_, place) => {
    const range = BigInt(place);
    return uuidOf((from * (ranges - range) + until * range) / ranges);
  });
}

const numberOfUuid = (id: string): bigint => BigInt(`0x${id.replaceAll('-', '')}`);

const uuidOf = (value: bigint): string =>
  value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
