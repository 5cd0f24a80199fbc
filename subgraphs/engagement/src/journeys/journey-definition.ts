import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { instantOf, offsetsOf } from '@loyalty/platform/base/zoned-days';
import type { Condition } from '../conditions/condition.ts';

/** A graph of nodes, as integrations write it and versions store it. */
export interface JourneyDefinition {
  readonly entry: JourneyEntry;
  readonly reentry: JourneyReentry;
  /** Only members who meet the condition enter. */
  readonly condition?: Condition;
  /** The purpose of the journey. A member who reaches the goal leaves. */
  readonly goal?: JourneyGoal;
  /** A member with one of these events leaves. */
  readonly exit?: readonly { readonly event: EventTrigger }[];
  /** For an entry by segment: a member who leaves the segment leaves the journey. */
  readonly leavesWithSegment?: boolean;
  /** Id of the first node. */
  readonly start: string;
  readonly nodes: readonly JourneyNode[];
}

/**
 * By segment: its members at the first launch, and all who enter it later. By event: the member of each such
 * event.
 */
export type JourneyEntry = { readonly segmentId: string } | { readonly event: EventTrigger };

export type JourneyReentry =
  | { readonly rule: 'NEVER' }
  | { readonly rule: 'AFTER_END' }
  | { readonly rule: 'AFTER_DAYS'; readonly days: number };

export type JourneyGoal = { readonly event: EventTrigger } | { readonly condition: Condition };

export type TriggerValue = string | number | boolean | readonly (string | number)[];

/** An event of a member. */
export interface EventTrigger {
  /** A type of the events catalog whose payload contains the member. */
  readonly type: string;
  /**
   * Required values of payload fields. If one of the two values is a list, one matching element is enough.
   */
  readonly where?: Readonly<Record<string, TriggerValue>>;
}

/** The sum of the parts. At least one part is greater than 0. */
export interface JourneyDuration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
}

interface NodeBase {
  /** 1 to 60 of [a-zA-Z0-9_-], unique in its graph. */
  readonly id: string;
  readonly label?: string;
}

/** Id of the next node; null ends the journey. */
type Next = string | null;

export interface DelayNode extends NodeBase, JourneyDuration {
  readonly type: 'delay';
  readonly next: Next;
}

/** Waits until a local time in the member's time zone, on one of these weekdays. */
export interface DelayUntilNode extends NodeBase {
  readonly type: 'delayUntil';
  /** HH:MM */
  readonly time: string;
  /** 1 is Monday, 7 is Sunday. Default: every day. */
  readonly weekdays?: readonly number[];
  readonly next: Next;
}

export interface WaitForEventNode extends NodeBase {
  readonly type: 'waitForEvent';
  readonly event: EventTrigger;
  readonly timeout: JourneyDuration;
  readonly next: Next;
  /** The next node after the timeout. */
  readonly otherwise: Next;
}

export interface ConditionNode extends NodeBase {
  readonly type: 'condition';
  readonly condition: Condition;
  readonly next: Next;
  readonly otherwise: Next;
}

export interface SplitBranch {
  readonly key: string;
  /** 1 to 100, relative to the other branches. */
  readonly weight: number;
  readonly next: Next;
}

export interface SplitNode extends NodeBase {
  readonly type: 'split';
  readonly branches: readonly SplitBranch[];
}

export interface EmailNode extends NodeBase {
  readonly type: 'email';
  readonly templateId: string;
  readonly next: Next;
}

/** The texts are Liquid templates. */
export interface WebPushNode extends NodeBase {
  readonly type: 'webPush';
  readonly title: string;
  readonly body?: string;
  readonly url?: string;
  readonly icon?: string;
  readonly next: Next;
}

export interface AwardPointsNode extends NodeBase {
  readonly type: 'awardPoints';
  readonly amount: number;
  readonly description: string;
  readonly next: Next;
}

export interface IssueCouponNode extends NodeBase {
  readonly type: 'issueCoupon';
  readonly poolId: string;
  readonly next: Next;
}

export interface TagNode extends NodeBase {
  readonly type: 'addTag' | 'removeTag';
  readonly tag: string;
  readonly next: Next;
}

/** Publishes `journey.step_reached`, which is sent to webhook endpoints. */
export interface WebhookNode extends NodeBase {
  readonly type: 'webhook';
  readonly name: string;
  readonly next: Next;
}

export interface ExitNode extends NodeBase {
  readonly type: 'exit';
}

export type JourneyNode =
  | DelayNode
  | DelayUntilNode
  | WaitForEventNode
  | ConditionNode
  | SplitNode
  | EmailNode
  | WebPushNode
  | AwardPointsNode
  | IssueCouponNode
  | TagNode
  | WebhookNode
  | ExitNode;

export type JourneyNodeType = JourneyNode['type'];

/** An edge of a node: its path below the node, and its target. */
export interface JourneyEdge {
  /** `next`, `otherwise` or `branches[1].next`. */
  readonly path: string;
  readonly to: string | null;
}

/** Returns all edges of a node. */
export function edgesOf(node: JourneyNode): readonly JourneyEdge[] {
  if (node.type === 'exit') return [];
  if (node.type === 'split')
    return node.branches.map(({ next }, index) => ({ path: `branches[${index}].next`, to: next }));
  const next = { path: 'next', to: node.next };
  return 'otherwise' in node ? [next, { path: 'otherwise', to: node.otherwise }] : [next];
}

/** Node types that wait. */
export const waitingTypes: ReadonlySet<JourneyNodeType> = new Set(['delay', 'delayUntil', 'waitForEvent']);

/** 48 bits of a hash are enough for a sum of weights of at most 1,000. */
const HASH_BYTES = 6;

/** Returns the branch of a split that a member takes. It is always the same for the same journey and node. */
export function branchOf(journeyId: string, { id, branches }: SplitNode, memberId: string): SplitBranch {
  const hash = createHash('sha256').update(`${journeyId}:${id}:${memberId}`).digest();
  const sum = branches.reduce((total, { weight }) => total + weight, 0);
  let place = (hash.readUIntBE(0, HASH_BYTES) / 2 ** (8 * HASH_BYTES)) * sum;
  for (const branch of branches) {
    place -= branch.weight;
    if (place < 0) return branch;
  }
  return branches.at(-1)!;
}

export const durationMs = ({ days = 0, hours = 0, minutes = 0 }: JourneyDuration): number =>
  days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;

/**
 * Returns the next instant after `now` at which a time zone has the local time of a node, on one of its
 * weekdays. If clocks skip the time, it is later by the skipped time. If they show it twice, the first one
 * counts.
 */
export function nextTimeOf({ time, weekdays }: DelayUntilNode, timeZone: string, now: Date): Date {
  const offset = offsetsOf(timeZone);
  const [hours, minutes] = time.split(':');
  const minute = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  const today = Math.floor((now.getTime() + offset(now.getTime())) / DAY_MS) * DAY_MS;
  // One day more than a week, because today's time may be over.
  for (let midnight = today; midnight <= today + 8 * DAY_MS; midnight += DAY_MS) {
    if (weekdays && !weekdays.includes(weekdayOf(midnight))) continue;
    const instant = instantOf(midnight + minute, offset);
    if (instant > now.getTime()) return new Date(instant);
  }
  throw new RangeError(`No time ${time} follows.`);
}

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (utcMidnight: number): number => new Date(utcMidnight).getUTCDay() || 7;
