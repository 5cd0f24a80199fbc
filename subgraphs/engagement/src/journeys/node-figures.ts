import type { MessageCount } from '../messages/source-messages.service.ts';
import type { OutcomeCount } from './journey-counts.store.ts';

/** A node with its names. */
export interface ShownNode {
  readonly nodeId: string;
  readonly type: string;
  readonly label: string;
}

/** The figures of a node. */
export interface NodeFigures extends ShownNode {
  readonly entered: number;
  readonly waiting: number;
  readonly done: number;
  readonly queued: number;
  readonly sent: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly simulated: number;
  readonly skipped: number;
  readonly skips: readonly { readonly reason: string; readonly count: number }[];
  readonly failed: number;
  readonly goalReached: number;
  readonly exited: number;
  readonly branches: readonly { readonly key: string; readonly count: number }[];
}

/** The figures of a journey, an automation or a campaign. */
export interface JourneyAnalytics {
  readonly id: string;
  readonly entered: number;
  readonly active: number;
  readonly completed: number;
  readonly goalReached: number;
  readonly exited: number;
  readonly failed: number;
  readonly nodes: readonly NodeFigures[];
  readonly computedAt: Date;
  readonly isEnded: boolean;
}

type SentMessages = Pick<MessageCount, 'status' | 'reason' | 'count' | 'opened' | 'clicked'>;

const SKIPPED = 'SKIPPED:';
const BRANCH = 'BRANCH:';

/** Statuses of messages that a provider accepted. */
const acceptedStatuses = ['SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINED'];

export const sumOf = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** Computes the figures of a node from its outcomes and its messages. */
export function nodeFigures(
  node: ShownNode,
  outcomes: readonly Pick<OutcomeCount, 'outcome' | 'count'>[],
  messages: readonly SentMessages[] = [],
): NodeFigures {
  const of = (outcome: string) => sumOf(outcomes.filter((each) => each.outcome === outcome));
  const inStatus = (...statuses: string[]) => messages.filter(({ status }) => statuses.includes(status));
  const branches = withPrefix(outcomes, BRANCH).map(({ rest: key, count }) => ({ key, count }));
  const skips = skipsOf([
    ...withPrefix(outcomes, SKIPPED).map(({ rest: reason, count }) => ({ reason, count })),
    ...inStatus('SKIPPED', 'SUPPRESSED'),
  ]);
  return {
    ...node,
    entered: of('ENTERED'),
    waiting: of('WAITING'),
    done: of('DONE') + sumOf(branches),
    queued: sumOf(inStatus('QUEUED')),
    sent: sumOf(inStatus(...acceptedStatuses)),
    delivered: sumOf(inStatus('DELIVERED', 'COMPLAINED')),
    opened: messages.reduce((sum, { opened }) => sum + opened, 0),
    clicked: messages.reduce((sum, { clicked }) => sum + clicked, 0),
    simulated: sumOf(inStatus('SIMULATED')),
    skipped: sumOf(skips),
    skips,
    failed: of('FAILED') + sumOf(inStatus('FAILED')),
    goalReached: of('GOAL_REACHED'),
    exited: of('EXITED'),
    branches,
  };
}

const withPrefix = (outcomes: readonly Pick<OutcomeCount, 'outcome' | 'count'>[], prefix: string) =>
  outcomes
    .filter(({ outcome }) => outcome.startsWith(prefix))
    .map(({ outcome, count }) => ({ rest: outcome.slice(prefix.length), count }))
    .toSorted((one, other) => one.rest.localeCompare(other.rest));

/** Returns skips by reason, most frequent first. */
function skipsOf(skips: readonly { readonly reason: string; readonly count: number }[]) {
  const byReason = Map.groupBy(skips, ({ reason }) => reason || 'OTHER');
  return [...byReason]
    .map(([reason, each]) => ({ reason, count: sumOf(each) }))
    .toSorted((one, other) => other.count - one.count || one.reason.localeCompare(other.reason));
}
