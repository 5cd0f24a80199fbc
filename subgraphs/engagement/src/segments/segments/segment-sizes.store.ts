import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import { addMs, DAY_MS } from '@loyalty/platform/clock';
import { loader } from '@loyalty/platform/loading/loaders';

export interface SegmentSize {
  readonly at: Date;
  readonly memberCount: number;
}

/** Days of which every hour is shown. */
const HOURLY_DAYS = 7;

/** Which sizes are wanted, as text: only equal texts are equal keys. */
export const sizesKey = (segmentId: string, days: number): string => `${days}:${segmentId}`;

/** Sizes of segments, by `sizesKey`: one statement for each number of days. */
export const sizesByKey = loader(async (ctx, keys: readonly string[]) => {
  const found = new Map<string, SegmentSize[]>(keys.map((key) => [key, []]));
  const asked = keys.map((key) => key.split(':') as [days: string, segmentId: string]);
  for (const [text, part] of Map.groupBy(asked, ([days]) => days)) {
    const days = Number(text);
    const rows = await ctx.sql.query<SegmentSize & { readonly segmentId: string }>(SIZES, [
      ...scopeOf(ctx),
      part.map(([, segmentId]) => segmentId),
      addMs(ctx.clock.now(), -days * DAY_MS),
      days > HOURLY_DAYS ? '1 day' : '1 hour',
    ]);
    for (const { segmentId, ...size } of rows) found.get(sizesKey(segmentId, days))!.push(size);
  }
  return found;
});

/** The last size of each hour or day, and the one that held when the time began. */
const SIZES = `
SELECT w.id AS segment_id, z.at, z.member_count
  FROM unnest($3::uuid[]) AS w(id)
 CROSS JOIN LATERAL (
   (SELECT $4::timestamptz AS at, b.member_count FROM engagement.segment_sizes AS b
     WHERE ${inScope('b')} AND b.segment_id = w.id AND b.hour < $4
     ORDER BY b.hour DESC LIMIT 1)
   UNION ALL
   (SELECT DISTINCT ON (date_bin($5::interval, i.hour, 'epoch'::timestamptz)) i.hour, i.member_count
      FROM engagement.segment_sizes AS i
     WHERE ${inScope('i')} AND i.segment_id = w.id AND i.hour >= $4
     ORDER BY date_bin($5::interval, i.hour, 'epoch'::timestamptz), i.hour DESC)
 ) AS z
 ORDER BY w.id, z.at`;

/** Which part of the members is done, 0 to 1, of segments that are computed. */
export const progressBySegment = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<{ id: string; done: number }>(
    `SELECT s.id, (SELECT count(*) FROM engagement.profiles AS p
                    WHERE ${inScope('p')} AND p.member_id <= s.computed_to_id)::float8
                  / greatest(1, (SELECT count(*) FROM engagement.profiles AS p WHERE ${inScope('p')})) AS done
       FROM engagement.segments AS s WHERE ${inScope('s')} AND s.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, done }) => [id, done]));
});
