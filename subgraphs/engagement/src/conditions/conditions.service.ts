import { invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { bytesAtMost } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { findConditionCatalog, findStoreRefs } from '../peers.ts';
import { checkTree, type KnownNames } from './check-condition.ts';
import type { Aspect, Condition } from './condition.ts';
import { refuseUnreadable } from './condition-access.ts';
import {
  countMeeting,
  findDefinitions,
  findMeeting,
  findResults,
  preparePlan,
  type SegmentDefinition,
} from './conditions.store.ts';
import { aspectsOf, referencesIn } from './named-things.ts';

/** Maximum size of a tree as JSON, in bytes. */
const BYTES_MAX = 64 * 1024;

/** A valid condition tree. */
export interface CheckedCondition {
  readonly condition: Condition;
  /** The aspects that it reads, including those of nested segments. */
  readonly aspects: readonly Aspect[];
  /** Segments that it directly refers to. */
  readonly nestedIds: readonly string[];
}

export interface ConditionCheck {
  /** The segment with this definition. It must not contain itself, at any depth. */
  readonly selfId?: string;
  /**
   * The tree was saved by a caller with access to its data, so the access of the current caller is not
   * checked.
   */
  readonly isStored?: boolean;
}

/**
 * Checks a condition tree against the fields, custom fields, object types and segments of the workspace, and
 * against the caller's access to data of members.
 *
 * @param path - of the tree in the request, such as `input.definition`; errors contain paths below it
 * @throws AppError VALIDATION_FAILED (400) naming the path, such as `input.definition.conditions[1].value`;
 * SCOPE_MISSING, MODULE_DISABLED (403), PEER_UNAVAILABLE (503)
 */
export async function checkCondition(
  ctx: Context,
  definition: unknown,
  path: string,
  { selfId, isStored = false }: ConditionCheck = {},
): Promise<CheckedCondition> {
  if (Buffer.byteLength(JSON.stringify(definition) ?? '') > BYTES_MAX)
    throw invalid(path, bytesAtMost(BYTES_MAX));
  // Checked before any look-up, so that the caller does not find out what exists.
  if (!isStored) refuseUnreadable(ctx.caller, definition, path);
  const { known, definitions } = await lookUp(ctx, definition);
  const found = { aspects: new Set<Aspect>(), nested: new Map<string, string>(), conditions: 0 };
  checkTree(path, definition, known, found);
  const byId = new Map(definitions.map((each) => [each.id, each]));
  for (const [id, at] of found.nested) {
    if (selfId && containsSegment(id, selfId, byId))
      throw invalid(`${at}.segment`, 'must not be the segment itself, nor one that contains it');
  }
  const condition = definition as Condition;
  const aspects = [...aspectsOf(inlined(condition, byId))];
  return { condition, aspects, nestedIds: [...found.nested.keys()] };
}

async function lookUp(
  ctx: Context,
  tree: unknown,
): Promise<{ readonly known: KnownNames; readonly definitions: readonly SegmentDefinition[] }> {
  const named = referencesIn(tree);
  const storeIds = [...named.storeIds].filter(isUuid);
  const segmentIds = [...named.segmentIds].filter(isUuid);
  const [catalog, stores, definitions] = await Promise.all([
    named.needsCatalog ? findConditionCatalog(ctx) : null,
    storeIds.length > 0 ? findStoreRefs(ctx, storeIds) : [],
    segmentIds.length > 0 ? findDefinitions(ctx, segmentIds) : [],
  ]);
  const known = {
    catalog,
    storeIds: new Set(stores.map(({ id }) => id)),
    segmentIds: new Set(definitions.map(({ id }) => id)),
  };
  return { known, definitions };
}

type Definitions = ReadonlyMap<string, SegmentDefinition>;

function containsSegment(
  id: string,
  wanted: string,
  definitions: Definitions,
  seen = new Set<string>(),
): boolean {
  if (id === wanted) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const nested = definitions.get(id)?.nestedIds ?? [];
  return nested.some((each) => containsSegment(each, wanted, definitions, seen));
}

/** Replaces nested segments in a tree by their definitions. */
export async function resolveCondition(ctx: Context, condition: Condition): Promise<Condition> {
  const ids = [...referencesIn(condition).segmentIds];
  if (ids.length === 0) return condition;
  const definitions = await findDefinitions(ctx, ids);
  return inlined(condition, new Map(definitions.map((each) => [each.id, each])));
}

/** A deleted segment has no members. */
const NO_MEMBERS: Condition = { op: 'or', conditions: [] };

function inlined(condition: Condition, definitions: Definitions, path: readonly string[] = []): Condition {
  if ('op' in condition) {
    const conditions = condition.conditions.map((each) => inlined(each, definitions, path));
    return { op: condition.op, conditions };
  }
  if (!('segment' in condition)) return condition;
  const id = condition.segment.toLowerCase();
  const nested = path.includes(id) ? undefined : definitions.get(id);
  const members = nested ? inlined(nested.definition, definitions, [...path, id]) : NO_MEMBERS;
  return condition.operator === 'not_in' ? { op: 'not', conditions: [members] } : members;
}

/** Returns the members who meet a resolved condition now, with one statement. */
export async function membersMeeting(
  ctx: Context,
  condition: Condition,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(memberIds.length > 0 ? await findMeeting(ctx, condition, memberIds) : []);
}

/** Counts the members who meet a resolved condition, and returns some of them, with one statement. */
export const previewCondition = (
  ctx: Context,
  condition: Condition,
  sampleSize: number,
): Promise<{ readonly count: number; readonly sampleIds: readonly string[] }> =>
  ctx.transaction(async (tx) => {
    await preparePlan(tx);
    return countMeeting(tx, condition, sampleSize);
  });

/** Whether a member meets a part of a condition. */
export interface ConditionResult {
  /** Path of the part in the tree: empty, `conditions[0]`, `conditions[1].conditions[0]`. */
  readonly path: string;
  readonly condition: Condition;
  readonly isMet: boolean;
}

/**
 * Evaluates each part of a condition for a member, the whole tree first. A nested segment is one part.
 * Returns null if there is no profile.
 */
export async function explainCondition(
  ctx: Context,
  condition: Condition,
  memberId: string,
): Promise<readonly ConditionResult[] | null> {
  const parts = partsOf('', condition);
  const resolved = await resolveCondition(ctx, {
    op: 'and',
    conditions: parts.map((part) => part.condition),
  });
  const { conditions } = resolved as Extract<Condition, { op: unknown }>;
  const results = await findResults(ctx, conditions, memberId);
  return results && parts.map((part, place) => ({ ...part, isMet: results[place]! }));
}

function partsOf(path: string, condition: Condition): Omit<ConditionResult, 'isMet'>[] {
  const nested = 'op' in condition ? condition.conditions : [];
  const below = (place: number) => `${path && `${path}.`}conditions[${place}]`;
  return [{ path, condition }, ...nested.flatMap((each, place) => partsOf(below(place), each))];
}
