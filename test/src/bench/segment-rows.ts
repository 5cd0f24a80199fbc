import pg from 'pg';

const BATCH = 100_000;

/** The tiers of the members, from the most frequent to the rarest. */
export const tierIds = [1, 2, 3, 4].map((rank) => `00000000-0000-7000-8000-00000000000${rank}`) as [
  string,
  string,
  string,
  string,
];

/** The size of the data, and the workspace that gets it. */
export interface SegmentPopulation {
  readonly databaseUrl: string;
  readonly workspaceId: string;
  readonly members: number;
}

/** The id of a member by its number. It is the same in each run, and ids are spread over the whole table. */
const memberId = (number: string): string =>
  `(substr(md5('member' || ${number}), 1, 12) || '7' || substr(md5('member' || ${number}), 14, 3) ||
   '8' || substr(md5('member' || ${number}), 18, 15))::uuid`;

/** A pseudo-random number from 0 to 1, for a member and a name. */
const random = (name: string, number = 'n'): string =>
  `((hashint8extended(${number}, ${name.length * 31 + name.charCodeAt(0)}) & 1048575) / 1048576.0)`;

const PROFILES = `INSERT INTO engagement.profiles
    (workspace_id, mode, member_id, status, enrollment_source, is_restricted, has_email, locale, time_zone,
     birthday, created_at, last_activity_at, custom_attributes, tags, consents, tier_id, tier_rank,
     points_balance, points_earned, order_count, order_revenue_minor, visit_count, open_coupons, refreshed_at)
  SELECT $1, 'LIVE', ${memberId('n')}, 'ACTIVE', 'API', false, ${random('mail')} < 0.9,
         (ARRAY['de', 'en', 'pt-PT'])[1 + floor(${random('locale')} * 3)::int], 'Europe/Lisbon',
         (1 + floor(${random('month')} * 12))::int * 100 + 1 + floor(${random('day')} * 28)::int,
         now() - ${random('created')} * interval '1000 days', now() - ${random('active')} * interval '400 days',
         jsonb_build_object('shoe', 35 + floor(${random('shoe')} * 12)),
         CASE WHEN ${random('tag')} < 0.2 THEN ARRAY['vip', 'early'] WHEN ${random('tag')} < 0.5 THEN ARRAY['early']
              ELSE '{}'::text[] END,
         CASE WHEN ${random('consent')} < 0.6 THEN ARRAY['EMAIL_MARKETING'] ELSE '{}'::text[] END,
         ($2::uuid[])[t.rank], t.rank, floor(${random('points')} * 5000), floor(${random('points')} * 9000),
         floor(${random('orders')} * 6), floor(${random('orders')} * 60000), 0, 0, now()
    FROM generate_series($3::bigint, $4::bigint - 1) AS g(n)
   CROSS JOIN LATERAL (SELECT 1 + floor(${random('tier')} ^ 3 * 4)::int AS rank) AS t`;

/** For each member up to five orders in the last 400 days and up to six page visits in the last 120 days. */
const OCCURRENCES = `INSERT INTO engagement.occurrences
    (workspace_id, mode, member_id, kind, name, occurred_at, ref_id, amount_minor)
  SELECT $1::uuid, 'LIVE'::platform."Mode", ${memberId('n')}, 'ORDER'::engagement."OccurrenceKind", '', now() - ${random('ordered', 'n * 7 + k')} * interval '400 days',
         md5('order' || n || ' ' || k)::uuid, floor(${random('amount', 'n * 7 + k')} * 10000)::bigint
    FROM generate_series($2::bigint, $3::bigint - 1) AS g(n)
   CROSS JOIN LATERAL generate_series(1, floor(${random('orders')} * 6)::int) AS k
  UNION ALL
  SELECT $1::uuid, 'LIVE'::platform."Mode", ${memberId('n')}, 'TRACKED'::engagement."OccurrenceKind", (ARRAY['view', 'search'])[1 + k % 2],
         now() - ${random('tracked', 'n * 11 + k')} * interval '120 days', md5('event' || n || ' ' || k)::uuid, NULL::bigint
    FROM generate_series($2::bigint, $3::bigint - 1) AS g(n)
   CROSS JOIN LATERAL generate_series(1, floor(${random('views')} * 7)::int) AS k`;

/** Inserts profiles of members and their occurrences, and marks the profiles as complete. */
export async function generateProfiles(population: SegmentPopulation): Promise<{ occurrences: number }> {
  const { databaseUrl, workspaceId, members } = population;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => {});
  const starts = Array.from({ length: Math.ceil(members / BATCH) }, (_, index) => index * BATCH).values();
  let occurrences = 0;
  const work = async () => {
    for (const from of starts) {
      const to = Math.min(from + BATCH, members);
      await pool.query(PROFILES, [workspaceId, tierIds, from, to]);
      occurrences += (await pool.query(OCCURRENCES, [workspaceId, from, to])).rowCount ?? 0;
    }
  };
  try {
    await Promise.all([work(), work()]);
    await pool.query(
      `INSERT INTO engagement.profile_syncs (workspace_id, mode, started_at, rebuild_aspects, rebuilt_at)
       VALUES ($1, 'LIVE', now(), '{ALL}', now())`,
      [workspaceId],
    );
    // Vacuums now, as autovacuum would do later, so that it does not disturb the measurement.
    await pool.query('VACUUM (ANALYZE) engagement.profiles');
    await pool.query('VACUUM (ANALYZE) engagement.occurrences');
  } finally {
    await pool.end();
  }
  return { occurrences };
}
