import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { AutomationDefinition } from '../definition/automation-definition.service.ts';

export type AutomationStatus = 'DRAFT' | 'ACTIVE' | 'PAUSED';

/** What happens by itself when something happens to a member. */
export interface Automation extends AutomationDefinition {
  readonly id: string;
  readonly name: string;
  readonly status: AutomationStatus;
  readonly actor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `id, name, status, trigger, condition, actions, actor, created_at, updated_at`;

export const automationById: Loader<string, Automation> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<Automation>(
    `SELECT ${columns} FROM engagement.automations WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The automation as it is now; nobody else changes it until the transaction ends. */
export async function lockAutomation(tx: Context, id: string): Promise<Automation | null> {
  const [row] = await tx.sql.query<Automation>(
    `SELECT ${columns} FROM engagement.automations WHERE ${inScope()} AND id = $3 FOR UPDATE`,
    [...scopeOf(tx), id],
  );
  return row ?? null;
}

export async function automationsPage(
  ctx: Context,
  request: PageRequest,
  status: AutomationStatus | null,
): Promise<Page<Automation>> {
  const where = `${inScope()} AND ($3::engagement."JourneyStatus" IS NULL
                                   OR status = $3::engagement."JourneyStatus")`;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Automation>(
    `SELECT ${columns} FROM engagement.automations
      WHERE ${where} AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5 OFFSET $6`,
    [...scopeOf(ctx), status, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM engagement.automations WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, [...scopeOf(ctx), status]);
    return counted!.total;
  });
}

type Written = AutomationDefinition & Pick<Automation, 'id' | 'name'>;

const writtenValues = ({ id, name, trigger, condition, actions }: Written): unknown[] => [
  id,
  name,
  trigger.kind,
  JSON.stringify(trigger),
  condition && JSON.stringify(condition),
  JSON.stringify(actions),
];

export async function insertAutomation(tx: Context, automation: Written): Promise<Automation> {
  const [row] = await tx.sql.query<Automation>(
    `INSERT INTO engagement.automations (workspace_id, mode, id, name, trigger_kind, trigger, condition,
            actions, actor, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb, $9, $10, $10)
     RETURNING ${columns}`,
    [...scopeOf(tx), ...writtenValues(automation), tx.caller.actor, tx.clock.now()],
  );
  return row!;
}

export async function writeAutomation(tx: Context, automation: Written): Promise<Automation> {
  const [row] = await tx.sql.query<Automation>(
    `UPDATE engagement.automations
        SET name = $4, trigger_kind = $5, trigger = $6::jsonb, condition = $7::jsonb, actions = $8::jsonb,
            updated_at = $9
      WHERE ${inScope()} AND id = $3
     RETURNING ${columns}`,
    [...scopeOf(tx), ...writtenValues(automation), tx.clock.now()],
  );
  return row!;
}

/** @param dueAt - when members are looked for; null where events bring them */
export async function writeAutomationStatus(
  tx: Context,
  id: string,
  { status, dueAt }: { readonly status: AutomationStatus; readonly dueAt: Date | null },
): Promise<Automation> {
  const [row] = await tx.sql.query<Automation>(
    `UPDATE engagement.automations SET status = $4::engagement."JourneyStatus", due_at = $5, updated_at = $6
      WHERE ${inScope()} AND id = $3
     RETURNING ${columns}`,
    [...scopeOf(tx), id, status, dueAt, tx.clock.now()],
  );
  return row!;
}

export async function removeAutomation(tx: Context, id: string): Promise<void> {
  await tx.sql.query(`DELETE FROM engagement.automations WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(tx),
    id,
  ]);
}

/** How often members entered, of all versions. */
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
