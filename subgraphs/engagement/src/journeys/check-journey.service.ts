import { checkTag } from '@loyalty/loyalty-subgraph/members/tags.events';
import { type AppError, invalid } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { Condition } from '../conditions/condition.ts';
import {
  type CheckedCondition,
  type ConditionCheck,
  checkCondition,
} from '../conditions/conditions.service.ts';
import { questions } from '../peers.ts';
import { ensureProfiles } from '../profiles/keep-profiles.service.ts';
import { findSegment } from '../segments/segments.service.ts';
import { checkNotificationContent } from '../templates/render.ts';
import { findMessageTemplate } from '../templates/templates.service.ts';
import { readDefinition } from './definition-schema.ts';
import { eventsOf, placedSegments } from './event-triggers.ts';
import { graphFault, triggerFault } from './graph-faults.ts';
import type { JourneyDefinition, JourneyNode, WebPushNode } from './journey-definition.ts';

/**
 * Checks a definition against the events, templates, pools, segments, fields and tags of the workspace.
 *
 * @param path - of the definition in the request, such as `input.definition`; errors contain paths below it
 * @returns the definition in its stored form: texts are trimmed, and conditions are as segments store them
 * @throws AppError VALIDATION_FAILED (400) naming the path, such as `input.definition.nodes[3].otherwise`;
 * SCOPE_MISSING, MODULE_DISABLED (403) for conditions, PEER_UNAVAILABLE (503)
 */
export async function checkJourney(
  ctx: Context,
  definition: unknown,
  path: string,
  check: Pick<ConditionCheck, 'isStored'> = {},
): Promise<JourneyDefinition> {
  const read = readDefinition(definition, path);
  const fault = graphFault(read);
  if (fault) throw invalid(path + fault.path, fault.rule);
  if (read.leavesWithSegment && !('segmentId' in read.entry))
    throw invalid(`${path}.leavesWithSegment`, 'needs an entry by segment');
  for (const [place, event] of eventsOf(read)) {
    const wrong = triggerFault(event);
    if (wrong) throw invalid(path + place + wrong.path, wrong.rule);
  }
  for (const [index, node] of read.nodes.entries()) checkNode(ctx, node, `${path}.nodes[${index}]`);
  await checkTemplates(ctx, read.nodes, path);
  await checkPools(ctx, read.nodes, path);
  await checkNamedSegments(ctx, read, path);
  const checked = await withCheckedConditions(read, (condition, place) =>
    checkCondition(ctx, condition, path + place, check),
  );
  // Conditions are evaluated on profiles, so profiles are maintained from now on.
  await ensureProfiles(ctx);
  return checked;
}

/** Checks a node without any look-up. */
function checkNode(ctx: Context, node: JourneyNode, path: string): void {
  if (node.type === 'addTag' || node.type === 'removeTag') checkTag(`${path}.tag`, node.tag);
  if (node.type === 'awardPoints' && node.amount > ctx.caller.limits.valueCap)
    throw invalid(
      `${path}.amount`,
      `must be at most ${ctx.caller.limits.valueCap}, the cap of the workspace`,
    );
  if (node.type === 'webPush') checkNotification(path, node);
}

function checkNotification(path: string, { title, body, url, icon }: WebPushNode): void {
  const given = { title, body: body ?? null, url: url ?? null, icon: icon ?? null };
  try {
    checkNotificationContent(path, given);
  } catch (error) {
    const { details, message } = error as AppError;
    const field = details?.field;
    if (!field) throw error;
    throw invalid(field, message.slice(field.length + 1).replace(/\.$/, ''));
  }
}

async function checkTemplates(ctx: Context, nodes: readonly JourneyNode[], path: string): Promise<void> {
  const checks = nodes.map(async (node) => {
    if (node.type !== 'email') return null;
    const template = await findMessageTemplate(ctx, node.templateId);
    return template && !template.archivedAt ? null : 'must be the id of a template that is not archived';
  });
  refuseFirst(await Promise.all(checks), (index) => `${path}.nodes[${index}].templateId`);
}

async function checkPools(ctx: Context, nodes: readonly JourneyNode[], path: string): Promise<void> {
  const ids = [...new Set(nodes.flatMap((node) => (node.type === 'issueCoupon' ? [node.poolId] : [])))];
  if (ids.length === 0) return;
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', questions.CouponPoolStatuses, { ids });
  const statuses = new Map(answer._couponPools.map(({ id, status }) => [id, status]));
  const faults = nodes.map((node) =>
    node.type === 'issueCoupon' && statuses.get(node.poolId) !== 'ACTIVE'
      ? 'must be the id of an active coupon pool'
      : null,
  );
  refuseFirst(faults, (index) => `${path}.nodes[${index}].poolId`);
}

function refuseFirst(faults: readonly (string | null)[], pathOf: (index: number) => string): void {
  const index = faults.findIndex((fault) => fault !== null);
  if (index >= 0) throw invalid(pathOf(index), faults[index]!);
}

async function checkNamedSegments(ctx: Context, definition: JourneyDefinition, path: string): Promise<void> {
  const checks = placedSegments(definition).map(async ([place, id]) => {
    if (!(await findSegment(ctx, id)))
      throw invalid(path + place, inputRule('UNKNOWN', 'must be the id of a segment'));
  });
  await Promise.all(checks);
}

async function withCheckedConditions(
  definition: JourneyDefinition,
  check: (condition: Condition, place: string) => Promise<CheckedCondition>,
): Promise<JourneyDefinition> {
  const checked = async (condition: Condition, place: string) => (await check(condition, place)).condition;
  const { condition, goal } = definition;
  const nodes: JourneyNode[] = [];
  for (const [index, node] of definition.nodes.entries())
    nodes.push(
      node.type === 'condition'
        ? { ...node, condition: await checked(node.condition, `.nodes[${index}].condition`) }
        : node,
    );
  return {
    ...definition,
    ...(condition && { condition: await checked(condition, '.condition') }),
    ...(goal &&
      'condition' in goal && {
        goal: { condition: await checked(goal.condition, '.goal.condition') },
      }),
    nodes,
  };
}
