import { conflict, notFound } from '@loyalty/platform/base/errors';
import { gatheredWith } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { awaitMessages, changeJourneyStatus } from '../journey-runs/journey-status.service.ts';
import { publishVersion } from '../journeys/journeys.service.ts';
import { ensureProfiles } from '../profiles/keep-profiles.service.ts';
import { checkAutomation } from './automation-definition.service.ts';
import { isTimeTrigger } from './automation-trigger.ts';
import {
  type Automation,
  type AutomationStatus,
  automationById,
  automationsPage,
  enteredByAutomation,
  insertAutomation,
  lockAutomation,
  removeAutomation,
  writeAutomation,
  writeAutomationStatus,
} from './automations.store.ts';
import { AUTOMATIONS_CHANNEL } from './due-members.service.ts';

export type { Automation, AutomationStatus };

const NAME_MAX = 100;

/** Returns an automation by id, or null. */
export const findAutomation = (ctx: Context, id: string): Promise<Automation | null> =>
  ctx.load(automationById, id);

/** @throws AppError AUTOMATION_NOT_FOUND (404) */
export async function getAutomation(ctx: Context, id: string): Promise<Automation> {
  const found = await findAutomation(ctx, id);
  if (!found) throw notFound('automation', id);
  return found;
}

/**
 * Lists automations of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listAutomations = async (
  ctx: Context,
  { status, ...paging }: PageArgs & { readonly status?: AutomationStatus | null | undefined },
): Promise<Page<Automation>> => automationsPage(ctx, pageRequest(paging), status ?? null);

/** Returns the number of entries of members. */
export const enteredOf = async (ctx: Context, { id }: Automation): Promise<number> =>
  (await ctx.load(enteredByAutomation, id)) ?? 0;

export interface NewAutomation {
  readonly name: string;
  readonly trigger: unknown;
  readonly condition?: unknown;
  readonly actions: unknown;
}

/**
 * Creates a draft, which has no effect before it is activated.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the path, such as `input.actions[1].templateId`;
 * PEER_UNAVAILABLE (503)
 * @remarks Source: requirements L-AUM-01 to L-AUM-03
 */
export async function createAutomation(ctx: Context, input: NewAutomation): Promise<Automation> {
  const read = () => checkAutomation(ctx, { condition: null, ...input }, 'input');
  const name = await gatheredWith(() => checkText('input.name', input.name, NAME_MAX), read);
  const { definition } = await read();
  return ctx.transaction(async (tx) => {
    const made = await insertAutomation(tx, { id: newId(tx.clock), name, ...definition });
    await auditAutomation(tx, 'createAutomation', made);
    return made;
  });
}

/** Absent fields do not change. Null removes the condition. */
export type AutomationChange = {
  readonly [Key in keyof NewAutomation]?: NewAutomation[Key] | null | undefined;
};

/**
 * Changes an automation. An active or paused automation continues with the change. Members who are in it
 * finish the former actions.
 *
 * @throws AppError VALIDATION_FAILED (400), AUTOMATION_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function updateAutomation(
  ctx: Context,
  id: string,
  input: AutomationChange,
): Promise<Automation> {
  const before = await getAutomation(ctx, id);
  const name = input.name == null ? before.name : checkText('input.name', input.name, NAME_MAX);
  const { definition, journey } = await checkAutomation(
    ctx,
    {
      trigger: input.trigger ?? before.trigger,
      condition: input.condition === undefined ? before.condition : input.condition,
      actions: input.actions ?? before.actions,
    },
    'input',
    { isStored: input.condition === undefined },
  );
  return ctx.transaction(async (tx) => {
    const { status } = await locked(tx, id);
    const written = await writeAutomation(tx, { id, name, ...definition });
    if (status !== 'DRAFT') await publishVersion(tx, { id, kind: 'AUTOMATION', name, definition: journey });
    await auditAutomation(tx, 'updateAutomation', written, { name: before.name });
    return writeAutomationStatus(tx, id, { status, dueAt: dueAtOf(tx, { ...written, status }) });
  });
}

async function locked(tx: Context, id: string): Promise<Automation> {
  const found = await lockAutomation(tx, id);
  if (!found) throw notFound('automation', id);
  return found;
}

/** The due time of an active automation by time: now. */
const dueAtOf = (tx: Context, { trigger, status }: Automation): Date | null =>
  status === 'ACTIVE' && isTimeTrigger(trigger) ? tx.clock.now() : null;

/**
 * Activates a draft. References are checked again. Has no effect on an active automation.
 *
 * @throws AppError VALIDATION_FAILED (400), AUTOMATION_NOT_FOUND (404), AUTOMATION_NOT_DRAFT (409),
 * PEER_UNAVAILABLE (503)
 */
export async function activateAutomation(ctx: Context, id: string): Promise<Automation> {
  const before = await getAutomation(ctx, id);
  const { journey } = await checkAutomation(ctx, before, 'automation', { isStored: true });
  await ensureProfiles(ctx);
  return ctx.transaction(async (tx) => {
    const now = await locked(tx, id);
    if (now.status === 'ACTIVE') return now;
    if (now.status === 'PAUSED')
      throw conflict('AUTOMATION_NOT_DRAFT', 'The automation is paused. Resume it instead.');
    await publishVersion(tx, { id, kind: 'AUTOMATION', name: now.name, definition: journey });
    return changed(tx, 'activateAutomation', { ...now, status: 'ACTIVE' });
  });
}

async function changed(tx: Context, action: string, automation: Automation): Promise<Automation> {
  const { id, status } = automation;
  const dueAt = dueAtOf(tx, automation);
  if (dueAt) tx.afterCommit(() => tx.services.live.publish(AUTOMATIONS_CHANNEL, id));
  const after = await writeAutomationStatus(tx, id, { status, dueAt });
  await auditAutomation(tx, action, after);
  return after;
}

/**
 * Pauses an automation: no member enters or continues. After this resolves, none of its messages leaves. Has
 * no effect on a paused automation.
 *
 * @throws AppError AUTOMATION_NOT_FOUND (404), AUTOMATION_IS_DRAFT (409)
 */
export async function pauseAutomation(ctx: Context, id: string): Promise<Automation> {
  const paused = await ctx.transaction(async (tx) => {
    const before = await notDraft(tx, id);
    if (before.status === 'PAUSED') return before;
    await changeJourneyStatus(tx, id, { from: ['ACTIVE'], to: 'PAUSED' });
    return changed(tx, 'pauseAutomation', { ...before, status: 'PAUSED' });
  });
  await awaitMessages(ctx, id);
  return paused;
}

/**
 * Resumes an automation: members enter and continue.
 *
 * @throws AppError AUTOMATION_NOT_FOUND (404), AUTOMATION_IS_DRAFT (409)
 */
export const resumeAutomation = (ctx: Context, id: string): Promise<Automation> =>
  ctx.transaction(async (tx) => {
    const before = await notDraft(tx, id);
    if (before.status === 'ACTIVE') return before;
    await changeJourneyStatus(tx, id, { from: ['PAUSED'], to: 'ACTIVE' });
    return changed(tx, 'resumeAutomation', { ...before, status: 'ACTIVE' });
  });

async function notDraft(tx: Context, id: string): Promise<Automation> {
  const found = await locked(tx, id);
  if (found.status !== 'DRAFT') return found;
  throw conflict('AUTOMATION_IS_DRAFT', 'The automation is a draft. Activate it in the back office first.');
}

/**
 * Deletes an automation. Its members leave it, and its waiting messages are cancelled.
 *
 * @throws AppError AUTOMATION_NOT_FOUND (404)
 */
export async function deleteAutomation(ctx: Context, id: string): Promise<{ id: string; deleted: true }> {
  await ctx.transaction(async (tx) => {
    const { name, status } = await locked(tx, id);
    if (status !== 'DRAFT') await changeJourneyStatus(tx, id, { from: ['ACTIVE', 'PAUSED'], to: 'ENDED' });
    await removeAutomation(tx, id);
    const resource = { resourceType: 'Automation', resourceId: id };
    await audit(tx, { action: 'deleteAutomation', ...resource, before: { name, status } });
  });
  return { id, deleted: true };
}

function auditAutomation(
  tx: Context,
  action: string,
  { id, name, status, trigger }: Automation,
  before: Readonly<Record<string, unknown>> | null = null,
): Promise<void> {
  const after = { name, status, trigger: trigger.kind };
  return audit(tx, { action, resourceType: 'Automation', resourceId: id, before, after });
}
