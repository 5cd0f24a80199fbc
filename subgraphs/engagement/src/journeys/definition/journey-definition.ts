import type { Condition } from '../../segments/conditions/condition.ts';

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
