import { invalid } from '@loyalty/platform/base/errors';
import { mustBeGiven, oneOf } from '@loyalty/platform/base/input-rules';
import { z } from 'zod';
import { usesBy } from '../events/described-events.ts';
import type { EventTrigger } from '../journeys/journey-definition.ts';

const DAYS_MAX = 365;

/** Runs are kept longer than this, so that no member enters twice. */
const EXPIRY_DAYS_MAX = 60;

const IDS_MAX = 100;

/** The trigger of an automation: an event, or a time that each member reaches. */
export interface AutomationTrigger {
  readonly kind: string;
  readonly [filter: string]: unknown;
}

/** A time that each member reaches, with the offset at which actions begin. */
export type TimeTrigger =
  | { readonly kind: 'birthday'; readonly daysBefore: number; readonly time: string }
  | { readonly kind: 'anniversary'; readonly time: string }
  | {
      readonly kind: 'date';
      readonly field: string;
      readonly daysBefore: number;
      readonly isYearly: boolean;
      readonly time: string;
    }
  | { readonly kind: 'inactivity'; readonly days: number }
  | { readonly kind: 'points_expiring'; readonly daysBefore: number }
  | { readonly kind: 'tier_expiring'; readonly daysBefore: number };

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const timeRule = 'must be a time of the day, such as 09:00';

const time = z
  .string({ error: timeRule })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: timeRule })
  .default('09:00');

const fieldRule = 'must be a custom field with dates, such as customAttributes.wedding_day';

const daysBefore = whole(0, DAYS_MAX).default(0);

const timeTriggers = {
  birthday: z.strictObject({ kind: z.literal('birthday'), daysBefore, time }),
  anniversary: z.strictObject({ kind: z.literal('anniversary'), time }),
  date: z.strictObject({
    kind: z.literal('date'),
    field: z
      .string({ error: fieldRule })
      .regex(/^customAttributes\.[a-z][a-z0-9_]{0,62}$/, { error: fieldRule }),
    daysBefore,
    isYearly: z.boolean({ error: 'must be true or false' }).default(false),
    time,
  }),
  inactivity: z.strictObject({ kind: z.literal('inactivity'), days: whole(1, 3_650) }),
  points_expiring: z.strictObject({
    kind: z.literal('points_expiring'),
    daysBefore: whole(1, EXPIRY_DAYS_MAX),
  }),
  tier_expiring: z.strictObject({ kind: z.literal('tier_expiring'), daysBefore: whole(1, EXPIRY_DAYS_MAX) }),
};

const idsRule = `must be a list of 1 to ${IDS_MAX} ids`;

const ids = z
  .array(z.guid({ error: 'must be a UUID' }).toLowerCase(), { error: idsRule })
  .min(1, { error: idsRule })
  .max(IDS_MAX, { error: idsRule });

/** A kind of trigger by event: the event that starts the actions, and its filters. */
export interface EventTriggerKind {
  readonly label: string;
  readonly event: string;
  /** Keys of the trigger with lists of ids, and the payload fields that must be in these lists. */
  readonly filters: Readonly<Record<string, string>>;
}

export const eventTriggers: Readonly<Record<string, EventTriggerKind>> = Object.fromEntries(
  [...usesBy('trigger')].map(([event, { kind, label, filters = {} }]) => [kind, { label, event, filters }]),
);

/** Kinds of triggers, in the order of the documentation. */
const triggerKinds: readonly string[] = [...Object.keys(eventTriggers), ...Object.keys(timeTriggers)];

export const isTimeTrigger = (trigger: AutomationTrigger): trigger is AutomationTrigger & TimeTrigger =>
  Object.hasOwn(timeTriggers, trigger.kind);

/**
 * Parses a trigger and fills in defaults. Does not check that its references exist.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the path
 */
export function readTrigger(path: string, value: unknown): AutomationTrigger {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(path, 'must be an object with a kind');
  const { kind } = value as { kind?: unknown };
  if (typeof kind !== 'string' || !triggerKinds.includes(kind))
    throw invalid(`${path}.kind`, oneOf(triggerKinds));
  const { data, error } = schemaOf(kind).safeParse(value);
  if (!error) return data as AutomationTrigger;
  const [issue] = error.issues;
  if (issue!.code === 'unrecognized_keys')
    throw invalid(path, `has no ${issue!.keys[0]} with the kind ${kind}`);
  const steps = issue!.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  throw invalid(
    path + steps.join(''),
    issue!.code === 'invalid_type' && issue!.input === undefined ? mustBeGiven : issue!.message,
  );
}

function schemaOf(kind: string): z.ZodType {
  if (Object.hasOwn(timeTriggers, kind)) return timeTriggers[kind as keyof typeof timeTriggers];
  const { filters } = eventTriggers[kind]!;
  const isNeeded = kind.startsWith('segment_');
  const shape = Object.keys(filters).map((key) => [key, isNeeded ? ids : ids.optional()] as const);
  return z.strictObject({ kind: z.literal(kind), ...Object.fromEntries(shape) });
}

/** An event that is never published. Members of such automations enter by time. */
const BY_CLOCK: EventTrigger = { type: 'automation.due' };

/** Returns the event that starts the actions. */
export function eventOf(trigger: AutomationTrigger): EventTrigger {
  if (isTimeTrigger(trigger)) return BY_CLOCK;
  const { event, filters } = eventTriggers[trigger.kind]!;
  const where = Object.entries(filters).flatMap(([key, field]) =>
    trigger[key] === undefined ? [] : [[field, trigger[key] as readonly string[]] as const],
  );
  return { type: event, ...(where.length > 0 && { where: Object.fromEntries(where) }) };
}

const timeLabels: Readonly<Record<string, string>> = {
  birthday: 'The birthday of the member',
  anniversary: 'A year, or several, since the member joined',
  date: 'A date in a custom field',
  inactivity: 'The member was not active for some days',
  points_expiring: 'Points expire soon',
  tier_expiring: 'The tier is lost soon, without new points',
};

/** All kinds of triggers in the form for an editor. */
export const automationTriggers = triggerKinds.map((kind) => ({
  kind,
  label: eventTriggers[kind]?.label ?? timeLabels[kind]!,
  event: eventTriggers[kind]?.event ?? null,
  schema: z.toJSONSchema(schemaOf(kind), { target: 'draft-2020-12', io: 'input' }) as Record<string, unknown>,
}));
