import type { Context, Loader } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import type { AgentDefinition, AgentSpecification, AgentVersion } from './agent-definition.ts';

const select = columns('id', 'name', 'version', 'archivedAt', 'actor', 'createdAt', 'updatedAt');

export const agentById: Loader<string, AgentDefinition> = loader(async (ctx, ids) => {
  const rows = await ctx.prisma.agentDefinition.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Reads a definition and locks it until the transaction ends. */
export const lockAgent = (tx: Context, id: string): Promise<AgentDefinition | null> =>
  tx.prisma.agentDefinition.findFirstForUpdate({ where: { id }, select });

export const agentOfName = (ctx: Context, name: string): Promise<AgentDefinition | null> =>
  ctx.prisma.agentDefinition.findFirst({ where: { name }, select });

export const agentsPage = (
  ctx: Context,
  request: PageRequest,
  isArchived: boolean | null,
): Promise<Page<AgentDefinition>> =>
  pageOf(ctx.prisma.agentDefinition, request, {
    where: isArchived === null ? {} : { archivedAt: isArchived ? { not: null } : null },
    select,
  });

/** Inserts a definition. Returns null if the workspace has one with this name. */
export async function insertAgent(
  tx: Context,
  { id, name }: Pick<AgentDefinition, 'id' | 'name'>,
): Promise<AgentDefinition | null> {
  const now = tx.clock.now();
  const [row] = await tx.prisma.agentDefinition.createManyAndReturn({
    data: [{ id, name, actor: tx.caller.actor, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
    select,
  });
  return row ?? null;
}

/** Changes a definition that the transaction has locked. */
export async function changeAgent(
  tx: Context,
  id: string,
  { name, version, archivedAt }: Pick<AgentDefinition, 'name' | 'version' | 'archivedAt'>,
): Promise<AgentDefinition> {
  const [row] = await tx.prisma.agentDefinition.updateManyAndReturn({
    where: { id },
    data: { name, version, archivedAt, updatedAt: tx.clock.now() },
    select,
  });
  return row!;
}

const versionColumns = `v.number::text AS id, v.definition_id, v.number, v.runtime_form, v.agent_type, v.kind,
  v.domain, v.api_key_id, v.blueprint, v.actor, v.created_at`;

export const versionKey = (definitionId: string, number: number): string => `${definitionId}/${number}`;

/** Versions by `versionKey`. */
export const agentVersionByKey = loader(async (ctx, keys: readonly string[]) => {
  const wanted = keys.map((key) => key.split('/'));
  const rows = await ctx.sql.query<AgentVersion>(
    `SELECT ${versionColumns}
       FROM ${rowsOf('$3::uuid[], $4::int[]')} AS w(definition_id, number)
       JOIN engagement.agent_definition_versions AS v
         ON ${inScope('v')} AND v.definition_id = w.definition_id AND v.number = w.number`,
    [...scopeOf(ctx), wanted.map(([id]) => id), wanted.map(([, number]) => Number(number))],
  );
  return new Map(rows.map((row) => [versionKey(row.definitionId, row.number), row]));
});

/** Pages of versions of definitions, newest first. */
export const versionsOfAgent = pageLoader<string, AgentVersion>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<AgentVersion>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::int[]')} WITH ORDINALITY
         AS w(definition_id, rows, skip, cursor_number, place)
      CROSS JOIN LATERAL (
        SELECT ${versionColumns} FROM engagement.agent_definition_versions AS v
         WHERE ${inScope('v')} AND v.definition_id = w.definition_id
           AND (w.cursor_number IS NULL OR v.number ${beyond} w.cursor_number)
         ORDER BY v.number ${order} LIMIT w.rows OFFSET w.skip) AS found
      ORDER BY w.place, found.number ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds.map((id) => (id === null ? null : Number(id)))],
  );
});

export async function insertAgentVersion(
  tx: Context,
  definitionId: string,
  number: number,
  specification: AgentSpecification,
): Promise<void> {
  const made = { actor: tx.caller.actor, createdAt: tx.clock.now() };
  await tx.prisma.agentDefinitionVersion.createMany({
    data: [{ definitionId, number, ...specification, ...made }],
  });
}

/** Returns the external agent whose latest version has the key, with its version; the newest of several. */
export async function externalAgentOfKey(
  ctx: Context,
  apiKeyId: string,
): Promise<{ readonly definitionId: string; readonly version: number } | null> {
  const [row] = await ctx.sql.query<{ definitionId: string; version: number }>(
    `SELECT d.id AS definition_id, d.version
       FROM engagement.agent_definitions AS d
       JOIN engagement.agent_definition_versions AS v
         ON ${inScope('v')} AND v.definition_id = d.id AND v.number = d.version
      WHERE ${inScope('d')} AND d.archived_at IS NULL AND v.runtime_form = 'MCP_EXTERNAL'
        AND v.api_key_id = $3
      ORDER BY d.id DESC LIMIT 1`,
    [...scopeOf(ctx), apiKeyId],
  );
  return row ?? null;
}
