import type { Limits } from '@loyalty/platform/base/caller';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { limitColumns, limitsOf } from './limit-columns.ts';

/** Details of a workspace that the team can change. */
export interface WorkspaceDetails {
  readonly name: string;
  readonly timeZone: string;
  readonly currency: string;
}

export interface Workspace extends WorkspaceDetails {
  readonly id: string;
  readonly limits: Limits;
  readonly createdAt: Date;
}

type WorkspaceRow = WorkspaceDetails & Limits & { id: string; createdAt: Date };

const columns = `w.id, w.name, w.time_zone, w.currency, w.created_at,
  ${limitColumns('w')}`;

const toWorkspace = ({ id, name, timeZone, currency, createdAt, ...row }: WorkspaceRow): Workspace => ({
  id,
  name,
  timeZone,
  currency,
  createdAt,
  limits: limitsOf(row),
});

/** Returns the caller's own workspace. */
export async function findOwnWorkspace(
  ctx: Context,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<Workspace | null> {
  const sql = `SELECT ${columns} FROM workspace.workspaces AS w WHERE w.id = $1 ${lock}`;
  const [row] = await ctx.sql.query<WorkspaceRow>(sql, [ctx.scope.workspaceId]);
  return row ? toWorkspace(row) : null;
}

/**
 * Loads workspaces without a check of the caller's: only for memberships, which prove that the account
 * belongs there.
 */
export const workspaceById: Loader<string, Workspace> = loader(async (ctx, ids) => {
  const sql = `SELECT ${columns} FROM workspace.workspaces AS w WHERE w.id = ANY($1::uuid[])`;
  const rows = await ctx.sql.query<WorkspaceRow>(sql, [ids]);
  return new Map(rows.map((row) => [row.id, toWorkspace(row)]));
});

export async function insertWorkspace(ctx: Context, name: string): Promise<void> {
  await ctx.sql.query('INSERT INTO workspace.workspaces (id, name, created_at) VALUES ($1, $2, $3)', [
    ctx.scope.workspaceId,
    name,
    ctx.clock.now(),
  ]);
}

export async function changeWorkspace(
  ctx: Context,
  details: WorkspaceDetails & { limits: Limits },
): Promise<Workspace> {
  const { name, timeZone, currency, limits } = details;
  const [row] = await ctx.sql.query<WorkspaceRow>(
    `UPDATE workspace.workspaces AS w
        SET name = $2, time_zone = $3, currency = $4, value_cap = $5, requests_per_minute = $6,
            value_writes_per_minute = $7, record_writes_per_minute = $8, model_requests_per_minute = $9
      WHERE w.id = $1 RETURNING ${columns}`,
    [
      ctx.scope.workspaceId,
      name,
      timeZone,
      currency,
      limits.valueCap,
      limits.requestsPerMinute,
      limits.valueWritesPerMinute,
      limits.recordWritesPerMinute,
      limits.modelRequestsPerMinute,
    ],
  );
  return toWorkspace(row!);
}

/** Returns whether there is no workspace at all. Not bound to one, because there may be none. */
export async function hasNoWorkspace(ctx: Context): Promise<boolean> {
  const [found] = await ctx.sql.query('SELECT 1 FROM workspace.workspaces LIMIT 1');
  return !found;
}

/** Returns whether there is no workspace, or only one with this name. */
export async function hasNoWorkspaceBut(ctx: Context, name: string): Promise<boolean> {
  const found = await ctx.sql.query<{ name: string }>('SELECT name FROM workspace.workspaces LIMIT 2');
  return found.length < 2 && found.every((one) => one.name === name);
}
