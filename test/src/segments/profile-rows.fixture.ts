import type { Context } from '@loyalty/platform/context';

type Row = Readonly<Record<string, unknown>>;

const SCOPED = 'workspace_id = $1 AND mode = $2::platform."Mode"';

/**
 * The stored profiles and occurrences of the workspace's members, without the times at which they were
 * written.
 */
export async function keptRows({ sql, scope }: Context): Promise<{ profiles: Row[]; occurrences: Row[] }> {
  const params = [scope.workspaceId, scope.mode];
  const profiles = await sql.query<{ row: Row }>(
    `SELECT to_jsonb(p) - 'refreshed_at' AS row FROM engagement.profiles AS p
      WHERE ${SCOPED} ORDER BY member_id`,
    params,
  );
  const occurrences = await sql.query<{ row: Row }>(
    `SELECT to_jsonb(o) AS row FROM engagement.occurrences AS o
      WHERE ${SCOPED} ORDER BY member_id, kind, ref_id`,
    params,
  );
  return { profiles: profiles.map(({ row }) => row), occurrences: occurrences.map(({ row }) => row) };
}

/** The stored profile of a member; undefined if there is none. */
export const profileRow = async (ctx: Context, memberId: string): Promise<Row | undefined> =>
  (await keptRows(ctx)).profiles.find((row) => row['member_id'] === memberId);

/** The occurrences of a member of one kind. */
export const occurrenceRows = async (ctx: Context, memberId: string, kind: string): Promise<Row[]> =>
  (await keptRows(ctx)).occurrences.filter((row) => row['member_id'] === memberId && row['kind'] === kind);

/** The noted changes that no worker has taken yet. */
export async function waitingChanges({ sql, scope }: Context): Promise<Row[]> {
  const rows = await sql.query<{ row: Row }>(
    `SELECT to_jsonb(c) AS row FROM engagement.profile_changes AS c WHERE ${SCOPED} ORDER BY id`,
    [scope.workspaceId, scope.mode],
  );
  return rows.map(({ row }) => row);
}
