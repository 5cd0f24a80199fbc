import { AppError, invalid } from '@loyalty/platform/base/errors';
import { itemRule } from '@loyalty/platform/base/input';
import { oneOf } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { Condition } from '../conditions/condition.ts';
import type { ConditionCheck } from '../conditions/conditions.service.ts';
import { checkJourney } from '../journeys/check-journey.service.ts';
import type { JourneyDefinition, JourneyNode } from '../journeys/journey-definition.ts';
import { findConditionCatalog, findStoreRefs } from '../peers.ts';
import { checkSegments } from '../segments/segments.service.ts';
import { type AutomationTrigger, eventOf, isTimeTrigger, readTrigger } from './automation-trigger.ts';

const ACTIONS_MAX = 30;
const actionTypes = [
  'email',
  'webPush',
  'awardPoints',
  'issueCoupon',
  'addTag',
  'removeTag',
  'webhook',
  'delay',
  'delayUntil',
];

/** The trigger, condition and actions of an automation. */
export interface AutomationDefinition {
  readonly trigger: AutomationTrigger;
  /** Only members who meet the condition; null for all members. */
  readonly condition: Condition | null;
  /** Executed one after the other. */
  readonly actions: readonly AutomationAction[];
}

/** A node of a journey without its edges. */
export interface AutomationAction {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** A valid automation, and the journey that performs its actions. */
export interface CheckedAutomation {
  readonly definition: AutomationDefinition;
  readonly journey: JourneyDefinition;
}

/**
 * Checks an automation against the events, templates, pools, stores, segments and fields of the workspace.
 *
 * @param path - of the request, such as `input`; errors contain paths below it
 * @throws AppError VALIDATION_FAILED (400) naming the path, such as `input.actions[1].templateId`;
 * PEER_UNAVAILABLE (503)
 */
export async function checkAutomation(
  ctx: Context,
  given: { readonly trigger: unknown; readonly condition: unknown; readonly actions: unknown },
  path: string,
  check: Pick<ConditionCheck, 'isStored'> = {},
): Promise<CheckedAutomation> {
  const trigger = readTrigger(`${path}.trigger`, given.trigger);
  const nodes = nodesOf(`${path}.actions`, given.actions);
  await checkNames(ctx, trigger, `${path}.trigger`);
  const journey = journeyOf(trigger, given.condition ?? null, nodes);
  // A trigger by time has no event of the catalog. The check uses another event of members instead.
  const entry = isTimeTrigger(trigger) ? { event: { type: 'member.created' } } : journey.entry;
  const checked = await checkJourney(ctx, { ...journey, entry }, '', check).catch((error: unknown) => {
    throw withAutomationPath(error, path);
  });
  const actions = checked.nodes.map(
    ({ id: _, next: __, ...action }: JourneyNode & { next?: unknown }) => action,
  );
  const definition = { trigger, condition: checked.condition ?? null, actions };
  return { definition, journey: { ...checked, entry: journey.entry } };
}

/** Returns the journey that performs the actions in their order. */
function journeyOf(
  trigger: AutomationTrigger,
  condition: unknown,
  nodes: readonly JourneyNode[],
): JourneyDefinition {
  return {
    entry: { event: eventOf(trigger) },
    // A repeated event starts the actions again after the member's run has ended.
    reentry: { rule: 'AFTER_END' },
    ...(condition !== null && { condition: condition as Condition }),
    start: nodeId(0),
    nodes,
  };
}

const nodeId = (place: number): string => `action-${place + 1}`;

function nodesOf(path: string, actions: unknown): JourneyNode[] {
  if (!Array.isArray(actions) || actions.length === 0 || actions.length > ACTIONS_MAX)
    throw invalid(path, `must be a list of 1 to ${ACTIONS_MAX} actions`);
  return actions.map((action: unknown, place) => {
    const at = `${path}[${place}]`;
    if (typeof action !== 'object' || action === null) throw invalid(at, 'must be an object with a type');
    const { type } = action as { type?: unknown };
    if (typeof type !== 'string' || !actionTypes.includes(type))
      throw invalid(`${at}.type`, oneOf(actionTypes));
    for (const key of ['id', 'next'])
      if (key in action) throw invalid(`${at}.${key}`, 'is not known here: actions follow each other');
    const next = place + 1 < actions.length ? nodeId(place + 1) : null;
    return { ...action, id: nodeId(place), next } as unknown as JourneyNode;
  });
}

/** Converts an error of the journey to the path in the automation. */
function withAutomationPath(error: unknown, path: string): unknown {
  if (!(error instanceof AppError) || !error.details.field?.startsWith('.')) return error;
  const { category, code, message, details } = error;
  const { field } = error.details;
  const place = path + field.replace(/^\.nodes\[/, '.actions[').replace(/^\.entry\.event/, '.trigger');
  return new AppError(category, code, place + message.slice(field.length), { ...details, field: place });
}

/** Checks that the stores, tiers, pools, segments and custom field of a trigger exist. */
async function checkNames(ctx: Context, trigger: AutomationTrigger, path: string): Promise<void> {
  const ids = (key: string) => (trigger[key] as readonly string[] | undefined) ?? [];
  const needsCatalog = ids('tierIds').length + ids('poolIds').length > 0 || trigger.kind === 'date';
  const catalog = needsCatalog ? await findConditionCatalog(ctx) : null;
  const stores = ids('storeIds').length > 0 ? await findStoreRefs(ctx, ids('storeIds')) : [];
  refuseUnknown(`${path}.storeIds`, ids('storeIds'), { existing: stores, noun: 'store' });
  refuseUnknown(`${path}.tierIds`, ids('tierIds'), { existing: catalog?.tiers ?? [], noun: 'tier' });
  refuseUnknown(`${path}.poolIds`, ids('poolIds'), { existing: catalog?.pools ?? [], noun: 'coupon pool' });
  if (ids('segmentIds').length > 0) await checkSegments(ctx, ids('segmentIds'), `${path}.segmentIds`);
  if (trigger.kind !== 'date') return;
  const key = String(trigger['field']).slice('customAttributes.'.length);
  const field = catalog?.customFields.find((each) => each.key === key);
  if (field?.type !== 'DATE')
    throw invalid(`${path}.field`, 'must be a custom field with dates, such as customAttributes.wedding_day');
}

function refuseUnknown(
  path: string,
  ids: readonly string[],
  { existing, noun }: { readonly existing: readonly { readonly id: string }[]; readonly noun: string },
): void {
  const known = new Set(existing.map(({ id }) => id));
  const place = ids.findIndex((id) => !known.has(id));
  if (place >= 0) throw invalid(`${path}[${place}]`, itemRule(ids[place], `must be the id of a ${noun}`));
}
