import type { Caller } from '@loyalty/platform/base/caller';
import { type AppError, refusedField } from '@loyalty/platform/base/errors';
import type { Access } from '@loyalty/platform/identity/access';
import { refusal } from '@loyalty/platform/identity/refusal';
import type { Aspect } from './condition.ts';
import { type MemberField, memberFieldByKey } from './member-fields.ts';
import { memberEvents } from './occurrence-conditions.ts';

type Kind = Exclude<Aspect, `${string}:${string}`> | 'TRACKED' | 'RECORD' | 'PREDICTIONS';
type Asked = Pick<Access, 'scopes' | 'module'>;

const ofMembers: Asked = { scopes: [['members:read']], module: null };
const ofOrders: Asked = { scopes: [['members:read'], ['orders:read']], module: null };
const ofCoupons: Asked = { scopes: [['members:read'], ['coupons:read']], module: null };

/**
 * What a condition asks of whoever writes it, by what it reads: a count of members says as much as the field
 * itself, so that it asks what the graph asks for the field. A test compares both.
 */
const askedFor: Readonly<Record<Kind, Asked>> = {
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
  // An event names the visitor, and the condition says which member that is.
  TRACKED: { scopes: [['members:read', 'tracking:read']], module: null },
  RECORD: { scopes: [['objects:read']], module: 'custom_objects' },
};

const accessOf = (kind: Kind): Access => ({
  ...askedFor[kind],
  role: null,
  callers: ['key', 'user'],
  liveOnly: false,
});

/** `Member.predictions` shows these two to more callers than `Member.state` shows the rest. */
const ofPredictions = ['next_order_on', 'next_order_confidence'];

const kindOfField = ({ key, aspect }: MemberField): Kind =>
  ofPredictions.includes(key) ? 'PREDICTIONS' : (aspect as Kind);

/** What a condition on a field of members asks, by its name there; custom fields ask all the same. */
export function accessOfField(key: string): Access {
  const field = memberFieldByKey.get(key);
  return accessOf(field ? kindOfField(field) : 'CUSTOM');
}

/** What a condition on an event asks, by its name there. */
export const accessOfEvent = (event: string): Access =>
  accessOf(memberEvents.get(event)?.aspect ?? 'TRACKED');

/** What a condition on records of any custom object asks. */
export const accessOfRecords = (): Access => accessOf('RECORD');

/** Whether the caller may write conditions that ask this. */
export const mayName = (caller: Caller, access: Access): boolean => refusal(caller, access) === null;

/**
 * Refuses a tree that reads what the caller may not read, whatever its shape is. Who is in another segment
 * may be asked by whoever may use segments.
 *
 * @param path - of the tree in the request; the error names the place below it
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
