import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { offsetsOf } from '@loyalty/platform/base/zoned-days';
import { LRUCache } from 'lru-cache';
import type { Condition } from '../conditions/condition.ts';

/** A graph of steps, as integrations write it and as versions keep it. */
export interface JourneyDefinition {
  readonly entry: JourneyEntry;
  readonly reentry: JourneyReentry;
  /** Only members who meet it enter. */
  readonly condition?: Condition;
  /** Who reaches it leaves: that is what the journey is for. */
  readonly goal?: JourneyGoal;
  /** Who has one of these events leaves. */
  readonly exit?: readonly { readonly event: EventTrigger }[];
  /** Of an entry by segment: who leaves the segment leaves the journey. */
  readonly leavesWithSegment?: boolean;
  /** Id of the first node. */
  readonly start: string;
  readonly nodes: readonly JourneyNode[];
}

/** By segment: those in it at the first launch, and all who enter it later. By event: each such event. */
export type JourneyEntry = { readonly segmentId: string } | { readonly event: EventTrigger };

export type JourneyReentry =
  | { readonly rule: 'NEVER' }
  | { readonly rule: 'AFTER_END' }
  | { readonly rule: 'AFTER_DAYS'; readonly days: number };

export type JourneyGoal = { readonly event: EventTrigger } | { readonly condition: Condition };

export type TriggerValue = string | number | boolean | readonly (string | number)[];

/** An event of a member. */
export interface EventTrigger {
  /** Of the events catalog; its payload names the member. */
  readonly type: string;
  /** Fields of its payload and their values; where one of the two is a list, one element is enough. */
  readonly where?: Readonly<Record<string, TriggerValue>>;
}

/** The sum of its parts; at least one of them is more than 0. */
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

/** Id of the node that follows; null ends the journey. */
type Next = string | null;

export interface DelayNode extends NodeBase, JourneyDuration {
  readonly type: 'delay';
  readonly next: Next;
}

/** Until the clock of the member's time zone shows a time, on one of these days of the week. */
export interface DelayUntilNode extends NodeBase {
  readonly type: 'delayUntil';
  /** HH:MM */
  readonly time: string;
  /** 1 is Monday, 7 is Sunday; absent: every day. */
  readonly weekdays?: readonly number[];
  readonly next: Next;
}

export interface WaitForEventNode extends NodeBase {
  readonly type: 'waitForEvent';
  readonly event: EventTrigger;
  readonly timeout: JourneyDuration;
  readonly next: Next;
  /** After the time-out. */
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
  /** 1 to 100, in relation to the others. */
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

/** Publishes `journey.step_reached`, to which webhook endpoints subscribe. */
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

/** A way out of a node: where it is written, below the node, and where it leads. */
export interface JourneyEdge {
  /** `next`, `otherwise` or `branches[1].next`. */
  readonly path: string;
  readonly to: string | null;
}

/** All ways out of a node. */
export function edgesOf(node: JourneyNode): readonly JourneyEdge[] {
  if (node.type === 'exit') return [];
  if (node.type === 'split')
    return node.branches.map(({ next }, index) => ({ path: `branches[${index}].next`, to: next }));
  const next = { path: 'next', to: node.next };
  return 'otherwise' in node ? [next, { path: 'otherwise', to: node.otherwise }] : [next];
}

/** Node types at which time passes. */
export const waitingTypes: ReadonlySet<JourneyNodeType> = new Set(['delay', 'delayUntil', 'waitForEvent']);

/** 48 bits of a hash are enough for weights of at most 1,000 in sum. */
const HASH_BYTES = 6;

/** The branch of a split that a member takes: always the same one of the same journey and node. */
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

const offsets = new LRUCache<string, (ms: number) => number>({ max: 500 });

function offsetIn(timeZone: string): (ms: number) => number {
  const known = offsets.get(timeZone) ?? offsetsOf(timeZone);
  offsets.set(timeZone, known);
  return known;
}

/**
 * The next time, later than `now`, at which the clocks of a time zone show the time of a node on one of its
 * days. A time that clocks skip comes as much later as they skip; of one that they show twice the first
 * counts.
 */
export function nextTimeOf({ time, weekdays }: DelayUntilNode, timeZone: string, now: Date): Date {
  const offset = offsetIn(timeZone);
  const [hours, minutes] = time.split(':');
  const minute = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  const today = Math.floor((now.getTime() + offset(now.getTime())) / DAY_MS) * DAY_MS;
  // One day more than a week: the time of today may be over.
  for (let midnight = today; midnight <= today + 8 * DAY_MS; midnight += DAY_MS) {
    if (weekdays && !weekdays.includes(weekdayOf(midnight))) continue;
    const instant = instantOf(midnight + minute, offset);
    if (instant > now.getTime()) return new Date(instant);
  }
  throw new RangeError(`No time ${time} follows.`);
}

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (utcMidnight: number): number => new Date(utcMidnight).getUTCDay() || 7;

function instantOf(wall: number, offset: (ms: number) => number): number {
  // The offsets that hold before and after whatever change there may be.
  const guesses = [offset(wall - DAY_MS), offset(wall + DAY_MS)].map((ahead) => wall - ahead);
  const exact = guesses.filter((instant) => instant + offset(instant) === wall);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...guesses);
}
