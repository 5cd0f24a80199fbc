import type { Context } from '@loyalty/platform/context';
import { columns } from '@loyalty/prisma/columns';

export interface TestDataPurge {
  readonly id: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  readonly purged: Readonly<Record<string, number>>;
  /** The caller who requested it; null for purges from before this was stored. */
  readonly actor: string | null;
  /** The reason why it failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Rows by noun, for each part that has reported. */
type Parts = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Row = Omit<TestDataPurge, 'status' | 'purged'> & { readonly parts: Parts };

function purgeOf({ parts, ...purge }: Row): TestDataPurge {
  const purged = Object.assign({}, ...Object.values(parts)) as Record<string, number>;
  const ended = purge.failure === null ? 'COMPLETED' : 'FAILED';
  return { ...purge, status: purge.finishedAt ? ended : 'RUNNING', purged };
}

/** Inserts a purge, or returns the running one of the workspace. */
export async function insertPurge(
  ctx: Context,
  id: string,
): Promise<{ purge: TestDataPurge; isNew: boolean }> {
  const { workspaceId } = ctx.scope;
  const [row] = await ctx.sql.query<Row>(
    `INSERT INTO workspace.test_data_purges AS p (id, workspace_id, actor, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id) WHERE finished_at IS NULL DO UPDATE SET workspace_id = p.workspace_id
     RETURNING id, parts, actor, failure, created_at, finished_at`,
    [id, workspaceId, ctx.caller.actor, ctx.clock.now()],
  );
  return { purge: purgeOf(row!), isNew: row!.id === id };
}

export async function findPurge(ctx: Context, id: string): Promise<TestDataPurge | null> {
  const row = await ctx.prisma.testDataPurge.findFirst({
    where: { id },
    select: columns('id', 'parts', 'actor', 'failure', 'createdAt', 'finishedAt'),
  });
  return row ? purgeOf(row) : null;
}

/** Adds the rows that a part erased; the purge has ended when every part of `all` has reported. */
export async function addPart(
  ctx: Context,
  id: string,
  part: string,
  counts: Readonly<Record<string, number>>,
  all: readonly string[],
): Promise<void> {
  await ctx.sql.query(
    `UPDATE workspace.test_data_purges AS p
        SET parts = reported.parts || p.parts,
            finished_at = coalesce(p.finished_at,
                                   CASE WHEN reported.parts || p.parts ?& $5::text[] THEN $6::timestamptz END)
       FROM (SELECT jsonb_build_object($3::text, $4::jsonb) AS parts) AS reported
      WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id, part, JSON.stringify(counts), all, ctx.clock.now()],
  );
}

/** Ends a running purge that could not be completed. */
export async function failPurge(ctx: Context, id: string, failure: string): Promise<void> {
  await ctx.prisma.testDataPurge.updateMany({
    where: { id, finishedAt: null },
    data: { failure, finishedAt: ctx.clock.now() },
  });
}
