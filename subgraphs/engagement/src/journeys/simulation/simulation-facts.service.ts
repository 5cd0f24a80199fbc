import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { activityKinds } from '../../events/described-events.ts';
import type { Condition } from '../../segments/conditions/condition.ts';
import { membersMeeting, resolveCondition } from '../../segments/conditions/conditions.service.ts';
import { obstaclesNow } from '../../sending/obstacles-now.service.ts';
import { templateToSend } from '../../templates/templates.service.ts';
import type { JourneyDefinition, JourneyNode, WaitForEventNode } from '../definition/journey-definition.ts';
import { durationMs } from '../definition/waiting-times.ts';
import { firstEvents, zonesOfMembers } from './past-events.store.ts';
import type { SampleFacts } from './simulated-walk.ts';

/** Is the event in the history of members? */
export const isInHistory = ({ event }: WaitForEventNode): boolean => activityKinds.has(event.type);

/** What is to be known of members before they are simulated: a few statements for each node. */
export async function factsOf(
  ctx: Context,
  { goal, nodes }: JourneyDefinition,
  journeyId: string,
  memberIds: readonly string[],
): Promise<SampleFacts> {
  const meeting = async (condition: Condition) =>
    membersMeeting(ctx, await resolveCondition(ctx, condition), memberIds);
  return {
    journeyId,
    now: ctx.clock.now(),
    zones: await zonesOfMembers(ctx, memberIds),
    atGoal: goal && 'condition' in goal ? await meeting(goal.condition) : new Set(),
    meeting: await byNode(nodes, (node) => (node.type === 'condition' ? meeting(node.condition) : null)),
    waits: await byNode(nodes, (node) =>
      node.type === 'waitForEvent' && isInHistory(node) ? waitsAt(ctx, node, memberIds) : null,
    ),
    obstacles: await obstaclesByNode(ctx, nodes, memberIds),
  };
}

/** One node after the other, because they share one connection at most. */
async function byNode<T>(
  nodes: readonly JourneyNode[],
  read: (node: JourneyNode) => Promise<T | null> | null,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (const node of nodes) {
    const value = await read(node);
    if (value !== null) found.set(node.id, value);
  }
  return found;
}

/** When the event came in the last time of the length of the time-out, in ms after its beginning. */
async function waitsAt(
  ctx: Context,
  { event, timeout }: WaitForEventNode,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const since = addMs(ctx.clock.now(), -durationMs(timeout));
  const firsts = await firstEvents(ctx, event, { memberIds, since });
  return new Map([...firsts].map(([id, at]) => [id, at.getTime() - since.getTime()]));
}

async function obstaclesByNode(
  ctx: Context,
  nodes: readonly JourneyNode[],
  memberIds: readonly string[],
): Promise<SampleFacts['obstacles']> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  return byNode(nodes, (node) => {
    if (node.type !== 'email' && node.type !== 'webPush') return null;
    return (async () => {
      const channel = node.type === 'email' ? 'EMAIL' : 'WEB_PUSH';
      const category =
        node.type === 'email' ? (await templateToSend(ctx, node.templateId)).category : 'MARKETING';
      const key = `${channel} ${category}`;
      const found = known.get(key) ?? (await obstaclesNow(ctx, { channel, category }, memberIds));
      known.set(key, found);
      return found;
    })();
  });
}
