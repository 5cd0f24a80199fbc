import type { Caller } from '@loyalty/platform/base/caller';
import { type AppError, refusedField } from '@loyalty/platform/base/errors';
import type { Access } from '@loyalty/platform/identity/access';
import { refusal } from '@loyalty/platform/identity/refusal';
import type { Aspect } from './condition.ts';
import { type MemberField, memberFieldByKey } from './member-fields.ts';
import { conditionEvents } from './occurrence-conditions.ts';

type Kind = Exclude<Aspect, `${string}:${string}`> | 'TRACKED' | 'RECORD' | 'PREDICTIONS';
type Required = Pick<Access, 'scopes' | 'module'>;

const ofMembers: Required = { scopes: [['members:read']], module: null };
const ofOrders: Required = { scopes: [['members:read'], ['orders:read']], module: null };
const ofCoupons: Required = { scopes: [['members:read'], ['coupons:read']], module: null };

/**
 * The access that a caller needs to write a condition, by the data that it reads. A count of members reveals
 * as much as the field itself, so the same access is required as for the field in the graph. A test compares
 * both.
 */
const requiredFor: Readonly<Record<Kind, Required>> = {
  MEMBER: ofMembers,
  CUSTOM: ofMembers,
  TAGS: ofMembers,
  CONSENTS: ofMembers,
  TIER: ofMembers,
  POINTS: ofMembers,
  VISITS: ofMembers,
  ORDERS: ofOrders,
  COUPONS: ofCoupons,
  STATE: { scopes: [['predictions:read'], ['model:bulk:read']], module: null },
  PREDICTIONS: { scopes: [['members:read'], ['predictions:read']], module: null },
  // An event contains a visitor, and the condition reveals the visitor's member.
  TRACKED: { scopes: [['members:read', 'tracking:read']], module: null },
  RECORD: { scopes: [['objects:read']], module: 'custom_objects' },
};

const accessOf = (kind: Kind): Access => ({
  ...requiredFor[kind],
  role: null,
  callers: ['key', 'user'],
  liveOnly: false,
});

/** `Member.predictions` returns these two fields to more callers than `Member.state` returns the others. */
const ofPredictions = ['next_order_on', 'next_order_confidence'];

const kindOfField = ({ key, aspect }: MemberField): Kind =>
  ofPredictions.includes(key) ? 'PREDICTIONS' : (aspect as Kind);

/** The access that a condition on a field of members requires. All custom fields require the same. */
export function accessOfField(key: string): Access {
  const field = memberFieldByKey.get(key);
  return accessOf(field ? kindOfField(field) : 'CUSTOM');
}

/** The access that a condition on an event requires. */
export const accessOfEvent = (event: string): Access =>
  accessOf(conditionEvents.get(event)?.aspect ?? 'TRACKED');

/** The access that a condition on records of a custom object requires. */
export const accessOfRecords = (): Access => accessOf('RECORD');

/** Whether the caller may write conditions that require this access. */
export const isAccessible = (caller: Caller, access: Access): boolean => refusal(caller, access) === null;

/**
 * Refuses a tree, also an invalid one, that reads data that the caller may not read. Every caller who may use
 * segments may refer to other segments.
 *
 * @param path - of the tree in the request; the error contains the path below it
 * @throws AppError SCOPE_MISSING, MODULE_DISABLED (403)
 */
export function refuseUnreadable(caller: Caller, tree: unknown, path: string): void {
  const refused = refusalIn(caller, tree, path);
  if (refused) throw refused;
}

function refusalIn(caller: Caller, tree: unknown, path: string): AppError | null {
  if (typeof tree !== 'object' || tree === null) return null;
  const { field, event, record, conditions } = tree as Readonly<Record<string, unknown>>;
  const asked = [
    typeof field === 'string' && ([`${path}.field`, accessOfField(field)] as const),
    typeof event === 'string' && ([`${path}.event`, accessOfEvent(event)] as const),
    record !== undefined && ([`${path}.record`, accessOfRecords()] as const),
  ];
  for (const each of asked) {
    const refused = each && refusal(caller, each[1]);
    if (refused) return refusedField(refused, each[0]);
  }
  if (!Array.isArray(conditions)) return null;
  for (const [place, each] of conditions.entries()) {
    const refused = refusalIn(caller, each, `${path}.conditions[${place}]`);
    if (refused) return refused;
  }
  return null;
}
