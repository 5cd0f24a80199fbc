import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { AutomationDefinition } from './automation-definition.service.ts';

/** The statuses of an automation. Unlike a journey, it never ends. */
export type AutomationStatus = 'DRAFT' | 'ACTIVE' | 'PAUSED';

/** An automation with its status. */
export interface Automation extends AutomationDefinition {
  readonly id: string;
  readonly name: string;
  readonly status: AutomationStatus;
  readonly actor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const select = {
  ...columns('id', 'name', 'status', 'trigger', 'condition', 'actions'),
  ...columns('actor', 'createdAt', 'updatedAt'),
};
const sqlColumns = inSql(select);

export const automationById: Loader<string, Automation> = loader(async (ctx, ids) => {
  const where = { id: { in: [...ids] } };
  const rows = (await ctx.prisma.automation.findMany({ where, select })) as Automation[];
  return new Map(rows.map((row) => [row.id, row]));
});

/** Reads an automation and locks it until the transaction ends. */
export const lockAutomation = (tx: Context, id: string): Promise<Automation | null> =>
  tx.prisma.automation.findFirstForUpdate({ where: { id }, select }) as Promise<Automation | null>;

export const automationsPage = (
  ctx: Context,
  request: PageRequest,
  status: AutomationStatus | null,
): Promise<Page<Automation>> =>
  pageOf(ctx.prisma.automation, request, { where: status ? { status } : {}, select }) as Promise<
    Page<Automation>
  >;

type Written = AutomationDefinition & Pick<Automation, 'id' | 'name'>;

export function insertAutomation(tx: Context, automation: Written): Promise<Automation> {
  const { id, name, trigger, condition, actions } = automation;
  const now = tx.clock.now();
  const made = { actor: tx.caller.actor, createdAt: now, updatedAt: now };
  const definition = { triggerKind: trigger.kind, trigger, ...(condition && { condition }), actions };
  const data = { id, name, ...definition, ...made };
  return tx.prisma.automation.create({ data, select }) as Promise<Automation>;
}

export async function writeAutomation(tx: Context, automation: Written): Promise<Automation> {
  const { id, name, trigger, condition, actions } = automation;
  const [row] = await tx.sql.query<Automation>(
    `UPDATE engagement.automations
        SET name = $4, trigger_kind = $5, trigger = $6::jsonb, condition = $7::jsonb, actions = $8::jsonb,
            updated_at = $9
      WHERE ${inScope()} AND id = $3
     RETURNING ${sqlColumns}`,
    [
      ...[...scopeOf(tx), id, name, trigger.kind, JSON.stringify(trigger)],
      ...[condition && JSON.stringify(condition), JSON.stringify(actions), tx.clock.now()],
    ],
  );
  return row!;
}

/** @param dueAt - the time of the next search for due members; null for triggers by event */
export async function writeAutomationStatus(
  tx: Context,
  id: string,
  { status, dueAt }: { readonly status: AutomationStatus; readonly dueAt: Date | null },
): Promise<Automation> {
  const [row] = await tx.prisma.automation.updateManyAndReturn({
    where: { id },
    data: { status, dueAt, updatedAt: tx.clock.now() },
    select,
  });
  return row as Automation;
}

export async function removeAutomation(tx: Context, id: string): Promise<void> {
  await tx.prisma.automation.deleteMany({ where: { id } });
}

/** Number of entries of all versions, by automation. */
export const enteredByAutomation: Loader<string, number> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<{ id: string; entered: number }>(
    `SELECT c.journey_id AS id, sum(c.count)::int AS entered
       FROM engagement.journey_node_counts AS c
      WHERE ${inScope('c')} AND c.journey_id = ANY($3::uuid[]) AND c.node_id = 'action-1'
        AND c.outcome = 'ENTERED'
      GROUP BY c.journey_id`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, entered }) => [id, entered]));
});
