import { AppError, notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { refuseUnreadable } from '../conditions/condition-access.ts';
import { membersMeeting, resolveCondition } from '../conditions/conditions.service.ts';
import { findMember } from '../peers.ts';
import { memberRefusal } from '../sending/obstacles-now.service.ts';
import { previewMessageTemplate } from '../templates/previews.service.ts';
import type { Content } from '../templates/render.ts';
import { templateToSend } from '../templates/templates.service.ts';
import type { AutomationAction } from './automation-definition.service.ts';
import { type Automation, getAutomation } from './automations.service.ts';

/** The simulated effect of an automation for a member. */
export interface AutomationTestRun {
  readonly memberId: string;
  readonly meetsCondition: boolean;
  readonly actions: readonly TestedAction[];
}

export interface TestedAction {
  readonly type: string;
  readonly skippedFor: string | null;
  readonly email: Content | null;
  readonly error: string | null;
}

/**
 * Simulates an automation for a member now. Nothing is written or sent.
 *
 * @throws AppError SCOPE_MISSING, MODULE_DISABLED (403) for the data of the condition, AUTOMATION_NOT_FOUND,
 * MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function testAutomation(ctx: Context, id: string, memberId: string): Promise<AutomationTestRun> {
  const automation = await getAutomation(ctx, id);
  refuseUnreadable(ctx.caller, automation.condition, 'condition');
  if (!(await findMember(ctx, memberId))) throw notFound('member', memberId);
  const actions: TestedAction[] = [];
  for (const action of automation.actions) actions.push(await testAction(ctx, action, memberId));
  return { memberId, meetsCondition: await meetsCondition(ctx, automation, memberId), actions };
}

async function meetsCondition(ctx: Context, { condition }: Automation, memberId: string): Promise<boolean> {
  if (!condition) return true;
  const meeting = await membersMeeting(ctx, await resolveCondition(ctx, condition), [memberId]);
  return meeting.has(memberId);
}

async function testAction(ctx: Context, action: AutomationAction, memberId: string): Promise<TestedAction> {
  const { type } = action;
  const done = { type, skippedFor: null, email: null, error: null };
  if (type === 'webPush') {
    const push = { memberId, channel: 'WEB_PUSH', category: 'MARKETING' } as const;
    return { ...done, skippedFor: await memberRefusal(ctx, push) };
  }
  if (type !== 'email') return done;
  const templateId = String(action['templateId']);
  try {
    const { category } = await templateToSend(ctx, templateId);
    const skippedFor = await memberRefusal(ctx, { memberId, channel: 'EMAIL', category });
    return { ...done, skippedFor, email: await previewMessageTemplate(ctx, { id: templateId, memberId }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'PEER_UNAVAILABLE') throw error;
    return { ...done, error: error.message };
  }
}
