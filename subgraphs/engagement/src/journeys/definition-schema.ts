import { invalid } from '@loyalty/platform/base/errors';
import { checkStorable, hasControlCharacters } from '@loyalty/platform/base/input';
import { z } from 'zod';
import type { JourneyDefinition } from './journey-definition.ts';

// An error message is the path of the fault, followed by the rule.

const NODES_MAX = 100;

const EXITS_MAX = 10;

const YEARS_2_DAYS = 730;

const WHERE_FIELDS_MAX = 10;

const WHERE_VALUES_MAX = 50;

function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Trimmed text without control characters. */
function text(max: number) {
  const error = `must be text of 1 to ${max} characters without control characters`;
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(max, { error })
    .refine((value) => !hasControlCharacters(value) && value.isWellFormed(), { error });
}

const uuid = z.guid({ error: 'must be a UUID' }).toLowerCase();

const nodeIdRule = 'must be 1 to 60 of the characters a-z, A-Z, 0-9, _ and -';

const nodeId = z.string({ error: nodeIdRule }).regex(/^[a-zA-Z0-9_-]{1,60}$/, { error: nodeIdRule });

const next = z
  .string({ error: 'must be the id of a node, or null for the end' })
  .nullable()
  .describe('Id of the node that follows. Null ends the journey.');

/** An object whose errors name unknown keys. */
const only = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object'),
  });

const condition = z
  .looseObject({}, { error: 'must be a condition tree' })
  .describe('A condition tree, as segments have them.');

const whereRule = `must be text, a number, true, false, or a list of 1 to ${WHERE_VALUES_MAX} of those`;

const whereScalar = z.union([z.string().max(200), z.number()], { error: 'must be text or a number' });

const whereValue = z.union(
  [z.string().max(200), z.number(), z.boolean(), z.array(whereScalar).min(1).max(WHERE_VALUES_MAX)],
  { error: whereRule },
);

const event = only({
  type: z
    .string({ error: 'must be the type of an event' })
    .describe('An event of the catalog about a member.'),
  where: z
    .record(z.string(), whereValue, { error: 'must be an object' })
    .refine((fields) => Object.keys(fields).length <= WHERE_FIELDS_MAX, {
      error: `must have at most ${WHERE_FIELDS_MAX} fields`,
    })
    .optional()
    .describe('Fields of the payload and their values; of a list, one of them.'),
});

const durationParts = {
  days: whole(0, YEARS_2_DAYS).optional(),
  hours: whole(0, YEARS_2_DAYS * 24).optional(),
  minutes: whole(0, YEARS_2_DAYS * 24 * 60).optional(),
};

interface Parts {
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
}

const isPositive = ({ days = 0, hours = 0, minutes = 0 }: Parts): boolean => days + hours + minutes > 0;

const lastsRule = { error: 'must last at least one minute: give days, hours or minutes' };

const base = { id: nodeId, label: text(100).optional() };

const node = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  only({ ...base, type: z.literal(type), ...shape });

const timeRule = 'must be a time of the day, such as 09:30';

const weekdaysRule = 'must list days of the week, each once: 1 is Monday, 7 is Sunday';

const weekdays = z
  .array(z.int({ error: weekdaysRule }).min(1, { error: weekdaysRule }).max(7, { error: weekdaysRule }), {
    error: weekdaysRule,
  })
  .min(1, { error: weekdaysRule })
  .refine((days) => new Set(days).size === days.length, { error: weekdaysRule });

const branchesRule = 'must be 2 to 10 branches';

const branch = only({ key: nodeId, weight: whole(1, 100), next });

const waitingNodes = [
  node('delay', { ...durationParts, next }).refine(isPositive, lastsRule),
  node('delayUntil', {
    time: z.string({ error: timeRule }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: timeRule }),
    weekdays: weekdays.optional(),
    next,
  }).describe("Until the clock of the member's time zone shows the time."),
  node('waitForEvent', {
    event,
    timeout: only(durationParts).refine(isPositive, lastsRule),
    next,
    otherwise: next,
  }).describe('`otherwise` is taken after the time-out.'),
] as const;

const choosingNodes = [
  node('condition', { condition, next, otherwise: next }),
  node('split', {
    branches: z.array(branch, { error: branchesRule }).min(2, branchesRule).max(10, branchesRule),
  }).describe('Members are split by weight; the same member always takes the same branch.'),
] as const;

const actingNodes = [
  node('email', { templateId: uuid, next }),
  node('webPush', {
    title: text(500),
    body: text(2_000).optional(),
    url: text(2_000).optional(),
    icon: text(2_000).optional(),
    next,
  }).describe('The texts are Liquid templates.'),
  node('awardPoints', { amount: whole(1, 10_000_000), description: text(500), next }),
  node('issueCoupon', { poolId: uuid, next }),
  node('addTag', { tag: text(64), next }),
  node('removeTag', { tag: text(64), next }),
  node('webhook', { name: text(100), next }).describe('Publishes `journey.step_reached`.'),
  node('exit', {}),
] as const;

const nodeTypes = [...waitingNodes, ...choosingNodes, ...actingNodes] as const;

const typeNames = nodeTypes.map(({ shape }) => shape.type.value).join(', ');

const anyNode = z.discriminatedUnion('type', nodeTypes, {
  error: (issue) =>
    issue.code === 'invalid_union' ? `must be one of ${typeNames}` : 'must be a node of the journey',
});

const reentryRule = 'must be NEVER, AFTER_END or AFTER_DAYS';

const reentry = z.discriminatedUnion(
  'rule',
  [
    only({ rule: z.literal('NEVER') }),
    only({ rule: z.literal('AFTER_END') }),
    only({ rule: z.literal('AFTER_DAYS'), days: whole(1, YEARS_2_DAYS) }),
  ],
  { error: (issue) => (issue.code === 'invalid_union' ? reentryRule : 'must be an object with a rule') },
);

const eitherRule = (one: string) => ({ error: `must have either ${one} or event` });

const nodesRule = `must be a list of 1 to ${NODES_MAX} nodes`;

/** The shape of a definition. `checkJourney` checks all further rules. */
const definitionSchema = only({
  entry: z.union([only({ segmentId: uuid }), only({ event })], eitherRule('segmentId')),
  reentry,
  condition: condition.optional().describe('Only members who meet it enter.'),
  goal: z.union([only({ condition }), only({ event })], eitherRule('condition')).optional(),
  exit: z
    .array(only({ event }), { error: 'must be a list of events' })
    .max(EXITS_MAX, { error: `must have at most ${EXITS_MAX} events` })
    .optional(),
  leavesWithSegment: z.boolean({ error: 'must be true or false' }).optional(),
  start: z.string({ error: 'must be the id of a node' }),
  nodes: z
    .array(anyNode, { error: nodesRule })
    .min(1, { error: nodesRule })
    .max(NODES_MAX, { error: nodesRule }),
}).describe('A journey: a graph of steps that members go through.');

type Issue = z.core.$ZodIssue;

/**
 * Parses a definition and trims its texts. References are not checked.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the path of the first fault
 */
export function readDefinition(value: unknown, path: string): JourneyDefinition {
  checkStorable(path, value);
  const { data, error } = definitionSchema.safeParse(value);
  // Condition trees are checked separately.
  if (!error) return data as unknown as JourneyDefinition;
  const { steps, rule } = faultOf(error.issues[0]!, []);
  throw invalid(path + pathOf(steps), rule);
}

/** JSON Schema (2020-12) of a definition, for documents and editors. */
export const journeySchema = z.toJSONSchema(definitionSchema, { target: 'draft-2020-12', io: 'input' });

interface Fault {
  readonly steps: readonly PropertyKey[];
  readonly rule: string;
}

function faultOf(issue: Issue, above: readonly PropertyKey[]): Fault {
  const steps = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return { steps: [...steps, issue.keys[0]!], rule: 'is not known here' };
  const deeper = issue.code === 'invalid_union' ? nearest(issue.errors) : null;
  return deeper ? faultOf(deeper, steps) : { steps, rule: issue.message };
}

/** Returns the first fault of the union member that fits a value best. */
function nearest(ways: readonly (readonly Issue[])[]): Issue | null {
  const known = ways.filter((issues) => issues.every(({ code }) => code !== 'unrecognized_keys'));
  const [only, ...others] = known.filter((issues) => issues.some(({ path }) => path.length > 0));
  return only && others.length === 0 ? only[0]! : null;
}

/** `.nodes[3].next` */
const pathOf = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
