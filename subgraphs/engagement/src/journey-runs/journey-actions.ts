import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/work/events';
import type { JourneyStepInput } from '#generated/peers';
import type {
  AwardPointsNode,
  EmailNode,
  IssueCouponNode,
  TagNode,
  WebhookNode,
  WebPushNode,
} from '../journeys/journey-definition.ts';
import { journeyStepReached } from '../journeys/journeys.events.ts';
import { type QueueMessages, queueMessages } from '../messages/queue-messages.service.ts';
import { questions } from '../peers.ts';
import { type NodeGroup, type NodeResults, resultsBy } from './flow-nodes.service.ts';

export type ActionNode = EmailNode | WebPushNode | AwardPointsNode | IssueCouponNode | TagNode | WebhookNode;

/**
 * Performs the action of a node for members, once for each pass of a run, in the caller's transaction. A
 * message is queued once for each run and node.
 *
 * @throws AppError if it is refused for all members, such as TEMPLATE_NOT_FOUND; PEER_UNAVAILABLE (503)
 */
export function performAction(tx: Context, group: NodeGroup<ActionNode>): Promise<NodeResults> {
  const { node } = group;
  switch (node.type) {
    case 'email':
    case 'webPush':
      return sendMessages(tx, { ...group, node });
    case 'webhook':
      return publishSteps(tx, { ...group, node });
    default:
      return performInLoyalty(tx, { ...group, node });
  }
}

async function sendMessages(
  tx: Context,
  { journeyId, kind, node, walks }: NodeGroup<EmailNode | WebPushNode>,
): Promise<NodeResults> {
  const unsent = walks.filter(({ run }) => !run.sentNodes.includes(node.id));
  const recipients = unsent.map(({ run }) => ({
    memberId: run.memberId,
    key: `run:${run.id}:${node.id}`,
    data: run.trigger,
  }));
  const source = { kind, id: journeyId, nodeId: node.id };
  const wanted = { ...contentOf(node), source, recipients, data: {} };
  if (recipients.length > 0) await queueMessages(tx, wanted);
  return resultsBy(walks, ({ run }) =>
    run.sentNodes.includes(node.id)
      ? { next: node.next, outcome: 'SKIPPED:ALREADY_SENT' }
      : { next: node.next, outcome: 'DONE', isSent: true },
  );
}

function contentOf(
  node: EmailNode | WebPushNode,
): Pick<QueueMessages, 'channel' | 'category' | 'templateId' | 'notification'> {
  // The template determines whether the mails are marketing.
  if (node.type === 'email')
    return { channel: 'EMAIL', category: 'TRANSACTIONAL', templateId: node.templateId };
  const { title, body, url, icon } = node;
  const notification = { title, ...(body && { body }), ...(url && { url }), ...(icon && { icon }) };
  return { channel: 'WEB_PUSH', category: 'MARKETING', notification };
}

/** Publishes in the transaction of the move, so exactly once. */
async function publishSteps(
  tx: Context,
  { journeyId, node, walks }: NodeGroup<WebhookNode>,
): Promise<NodeResults> {
  const { id: nodeId, name } = node;
  const steps = walks.map(({ run }) => ({ memberId: run.memberId, journeyId, runId: run.id, nodeId, name }));
  await publishAll(tx, journeyStepReached, steps);
  return resultsBy(walks, () => ({ next: node.next, outcome: 'DONE' }));
}

type LoyaltyNode = AwardPointsNode | IssueCouponNode | TagNode;

/** Loyalty stores the idempotency keys, so a repetition has no effect. */
async function performInLoyalty(tx: Context, { node, walks }: NodeGroup<LoyaltyNode>): Promise<NodeResults> {
  const entries = walks.map(({ run }) => ({
    memberId: run.memberId,
    key: `run:${run.id}:${node.id}:${run.step}`,
  }));
  const request = { ...stepOf(node), entries };
  const answer = await tx.services.peers.ask(tx, 'loyalty', questions.PerformJourneyStep, { request });
  const reasons = new Map(answer.refusals.map(({ memberId, reason }) => [memberId, reason]));
  return resultsBy(walks, ({ run }) => {
    const refusal = reasons.get(run.memberId);
    return { next: node.next, outcome: refusal ? `SKIPPED:${refusal}` : 'DONE' };
  });
}

function stepOf(node: LoyaltyNode): Omit<JourneyStepInput, 'entries'> {
  switch (node.type) {
    case 'awardPoints':
      return { awardPoints: { amount: node.amount, description: node.description } };
    case 'issueCoupon':
      return { couponPoolId: node.poolId };
    case 'addTag':
      return { addTag: node.tag };
    case 'removeTag':
      return { removeTag: node.tag };
  }
}
