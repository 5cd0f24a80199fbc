import type { Context } from '@loyalty/platform/context';
import pg from 'pg';

/** The number of different values of each field; the records are spread evenly over them. */
export const spread = { status: 4, region: 200, score: 1_000, tags: 50, words: 400 } as const;

/**
 * These indexes are dropped and built again as a whole, because adding entries one by one takes most of the
 * time.
 */
const ginIndexes = ['object_records_terms_idx', 'object_records_grams_idx'];

/**
 * Inserts records in the form that createRecord stores, oldest first. One owner has one record in a hundred.
 */
const insert = `INSERT INTO loyalty.object_records
  (workspace_id, mode, object_type_id, id, data, title, search_text, terms, created_at, updated_at)
SELECT $1::uuid, 'LIVE', $2::uuid, r.id, r.data, left(lower(r.data ->> 'subject'), 200),
       loyalty.object_text(r.data, '{subject,status,region,tags}'),
       loyalty.object_terms($2::uuid, 'LIVE', r.data), r.at,
       r.at + make_interval(secs => (r.i * 7919 % 1000003))
  FROM (SELECT i, timestamptz '2026-01-01' + make_interval(secs => i * 0.1) AS at,
               (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid
                 AS id,
               jsonb_build_object(
                 'subject', format('word%s word%s case %s', i * 31 % ${spread.words},
                                   i * 7 % ${spread.words} + i % 3, i * 48271 % 2147483647),
                 'status', 'state' || abs(hashint8(i)) % ${spread.status},
                 'region', 'region ' || abs(hashint8(i + 2)) % ${spread.region},
                 'score', abs(hashint8(i + 3)) % ${spread.score},
                 'tags', jsonb_build_array('tag' || abs(hashint8(i + 4)) % ${spread.tags},
                                           'tag' || abs(hashint8(i + 5)) % ${spread.tags}),
                 'urgent', abs(hashint8(i + 6)) % 10 = 0,
                 'owner', ($4::uuid[])[1 + abs(hashint8(i + 7)) % cardinality($4::uuid[])]) AS data
          FROM generate_series($3::bigint, $5::bigint) AS i,
       LATERAL lpad(to_hex(1767225600000 + i * 100), 12, '0') AS h) AS r`;

/** Fills a type with records, a hundred thousand in a statement, and runs ANALYZE. */
export async function fill(
  ctx: Context,
  url: string,
  fills: readonly { readonly workspaceId: string; readonly objectTypeId: string; readonly rows: number }[],
  owners: readonly string[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: definitions } = await client.query<{ indexdef: string }>(
      'SELECT indexdef FROM pg_indexes WHERE indexname = ANY($1)',
      [ginIndexes],
    );
    // Checking a million foreign keys is slow and is not what the bench measures.
    await client.query('SET session_replication_role = replica');
    for (const name of ginIndexes) await client.query(`DROP INDEX loyalty.${name}`);
    for (const { workspaceId, objectTypeId, rows } of fills) {
      for (let from = 1; from <= rows; from += 100_000) {
        const to = Math.min(rows, from + 99_999);
        await client.query(insert, [workspaceId, objectTypeId, from, owners, to]);
      }
      await client.query(`INSERT INTO loyalty.object_record_counts VALUES ($1, 'LIVE', $2, 0, $3)`, [
        workspaceId,
        objectTypeId,
        rows,
      ]);
    }
    await client.query(`SET maintenance_work_mem = '1GB'`);
    for (const { indexdef } of definitions) await client.query(indexdef);
    await client.query('VACUUM ANALYZE loyalty.object_records');
  } finally {
    await client.end();
  }
  ctx.forget();
}
