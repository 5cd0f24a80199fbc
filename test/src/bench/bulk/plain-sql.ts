import pg from 'pg';

const MEMBERS_OF_STATEMENT = 100_000;
const CONNECTIONS = 2;

/** Tables with the same columns and indexes as those that a bulk job writes. */
const TABLES = `
  CREATE SCHEMA bench;
  CREATE TABLE bench.member_states (LIKE model.member_states INCLUDING ALL);
  CREATE TABLE bench.bulk_results (LIKE model.bulk_results INCLUDING ALL)`;

const MAY_BE_ANALYSED = `m.workspace_id = $1 AND m.mode = $2::platform."Mode" AND m.status = 'ACTIVE'
  AND NOT m.is_restricted AND m.created_at <= $3`;

/** The id of the last member of each range. */
const RANGES = `
  SELECT id FROM (
    SELECT m.id, row_number() OVER (ORDER BY m.id) AS number,
           lead(m.id) OVER (ORDER BY m.id) IS NULL AS is_end
      FROM loyalty.members AS m WHERE ${MAY_BE_ANALYSED}) AS numbered
   WHERE number % ${MEMBERS_OF_STATEMENT} = 0 OR is_end ORDER BY id`;

/** Computes scores by an expression that costs almost nothing compared with the reads and writes. */
const REFRESH = `
  WITH read AS MATERIALIZED (
    SELECT m.id, coalesce(t.purchase_days, 0) AS purchase_days, t.first_day, t.last_day,
           $3::date - t.last_day AS gap, exp(-0.02 * ($3::date - t.last_day)) AS score,
           coalesce(t.sessions, 0) AS sessions, coalesce(t.decayed_adds, 0) AS adds,
           coalesce(t.decayed_removes, 0) AS removes, t.last_event_at, t.last_cart_at, t.max_occurred_at
      FROM loyalty.members AS m
      LEFT JOIN model.member_statistics AS t
        ON t.workspace_id = m.workspace_id AND t.mode = m.mode AND t.member_id = m.id
     WHERE ${MAY_BE_ANALYSED} AND m.id > $4 AND m.id <= $5
  ), results AS (
    INSERT INTO bench.bulk_results
      (workspace_id, mode, job_id, member_id, status, attempts, error_code, updated_at)
    SELECT $1, $2::platform."Mode", $6::uuid, id,
           (CASE WHEN score IS NULL THEN 'UNAVAILABLE' ELSE 'SUCCEEDED' END)::model."BulkResultStatus",
           1, NULL, now()
      FROM read
  )
  INSERT INTO bench.member_states AS old
    (workspace_id, mode, member_id, status, purchase, long_gap, cart_removal, purchase_reasons,
     long_gap_reasons, cart_removal_reasons, purchase_days, first_day, last_day, gap_days, interval_mean,
     interval_sd, alive_chance, gap_survival, sessions, cart_adds, cart_removes, last_event_at, last_cart_at,
     data_through, model_version, job_id, source_cutoff, updated_at)
  SELECT $1, $2::platform."Mode", id,
         (CASE WHEN score IS NULL THEN 'UNAVAILABLE' ELSE 'OK' END)::model."AnalysisStatus", score, 1 - score,
         CASE WHEN last_cart_at IS NOT NULL THEN 0.5 END, 0, 0, 0, purchase_days, first_day, last_day, gap,
         score * 10, score * 5, score, score, sessions, adds, removes, last_event_at, last_cart_at,
         max_occurred_at, 'plain', $6::uuid, $3, now()
    FROM read
  ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
     SET (status, purchase, long_gap, cart_removal, purchase_reasons, long_gap_reasons, cart_removal_reasons,
          purchase_days, first_day, last_day, gap_days, interval_mean, interval_sd, alive_chance,
          gap_survival, sessions, cart_adds, cart_removes, last_event_at, last_cart_at, data_through,
          model_version, job_id, source_cutoff, updated_at)
       = (excluded.status, excluded.purchase, excluded.long_gap, excluded.cart_removal,
          excluded.purchase_reasons, excluded.long_gap_reasons, excluded.cart_removal_reasons,
          excluded.purchase_days, excluded.first_day, excluded.last_day, excluded.gap_days,
          excluded.interval_mean, excluded.interval_sd, excluded.alive_chance, excluded.gap_survival,
          excluded.sessions, excluded.cart_adds, excluded.cart_removes, excluded.last_event_at,
          excluded.last_cart_at, excluded.data_through, excluded.model_version, excluded.job_id,
          excluded.source_cutoff, excluded.updated_at)
   WHERE old.source_cutoff <= excluded.source_cutoff`;

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Makes the tables empty, because the product begins without states, too. */
export async function makePlainTables(client: pg.Client): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS bench CASCADE');
  await client.query(TABLES);
}

/**
 * Measures the physical limit of this database. One statement for 100,000 members reads the same members and
 * statistics and writes the same rows as a bulk job; two connections run at once.
 *
 * @returns the number of members that were refreshed, and the seconds it took
 */
export async function refreshByPlainSql(
  databaseUrl: string,
  workspaceId: string,
  jobId: string,
): Promise<{ readonly members: number; readonly seconds: number }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const scope = [workspaceId, 'LIVE', new Date()];
  try {
    const startedAt = performance.now();
    const { rows } = await pool.query<{ id: string }>(RANGES, scope);
    const ranges = rows.map(({ id }, index) => [rows[index - 1]?.id ?? NO_ID, id]).values();
    let members = 0;
    const work = async () => {
      for (const range of ranges) {
        const { rowCount } = await pool.query(REFRESH, [...scope, ...range, jobId]);
        members += rowCount ?? 0;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    return { members, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    await pool.end();
  }
}
