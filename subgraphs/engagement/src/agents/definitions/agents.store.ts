import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/loading/pages';
import { columns } from '@loyalty/prisma/columns';
import type { AgentDefinition } from './agent-definition.ts';

const select = columns('id', 'name', 'version', 'archivedAt', 'actor', 'createdAt', 'updatedAt');

export const agentById: Loader<string, AgentDefinition> = loader(async (ctx, ids) => {
  const rows = await ctx.prisma.agentDefinition.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

/** The definition as it is now, locked until the transaction ends. */
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

/** Null where the workspace has a definition of that name. */
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

/** Of a definition that the transaction has locked. */
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
