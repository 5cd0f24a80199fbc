import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { activateAutomation, createAutomation, type NewAutomation } from './automations.service.ts';
import { enterDueMembers } from './due-members.service.ts';

/** Creates an active automation. Default action: adds a tag. */
export async function givenAutomation(
  ctx: Context,
  { trigger, ...more }: Pick<NewAutomation, 'trigger'> & Partial<NewAutomation>,
): Promise<string> {
  const actions = [{ type: 'addTag', tag: 'greeted' }];
  const { id } = await createAutomation(ctx, { name: 'Greet', actions, trigger, ...more });
  await activateAutomation(ctx, id);
  return id;
}

/** Enters due members into all automations by time. */
export async function enterAllDue(services: Services): Promise<void> {
  const worker = createContext(services, { caller: systemCaller('test'), requestId: 'test' });
  while (await enterDueMembers(worker));
}

/** Members who entered an automation, with their entry keys, in the order of the members. */
export const entriesOf = (ctx: Context, id: string): Promise<{ memberId: string; entryKey: string }[]> =>
  ctx.sql.query(
    `SELECT member_id, entry_key FROM engagement.journey_runs
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND journey_id = $3
      ORDER BY member_id, entered_at, entry_key`,
    [ctx.scope.workspaceId, ctx.scope.mode, id],
  );
