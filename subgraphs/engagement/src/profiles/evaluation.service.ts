import type { Context, Services } from '@loyalty/platform/context';
import { LRUCache } from 'lru-cache';
import { resolveCondition } from '../conditions/conditions.service.ts';
import { type MembersBy, type MembershipStatement, membershipStatement } from './membership-sql.ts';
import {
  definitionsOf,
  type KeptSegment,
  type MembershipChange,
  preparePlans,
  writeMemberships,
} from './memberships.store.ts';

/** Cache size in statements. A statement of 50 segments has about 50 kB. */
const STATEMENTS_MAX = 500;

const statements = new WeakMap<Services, LRUCache<string, MembershipStatement>>();

function statementsOf(services: Services): LRUCache<string, MembershipStatement> {
  const known = statements.get(services);
  if (known) return known;
  const made = new LRUCache<string, MembershipStatement>({ max: STATEMENTS_MAX });
  statements.set(services, made);
  return made;
}

/** Members by ids, or a range of ids: after one, up to another. */
export type Members =
  | { readonly ids: readonly string[] }
  | { readonly afterId: string; readonly toId: string };

/**
 * Updates the memberships of these members in the segments with one statement, and the member counts. The
 * text of the statement is cached while the definitions do not change, so that PostgreSQL reuses its plan.
 *
 * @param tx - has the lock of the profiles
 * @param all - all segments of the workspace, including nested ones
 * @param segments - the segments to evaluate
 * @returns the members who entered or left
 */
export async function evaluateMembers(
  tx: Context,
  all: readonly KeptSegment[],
  segments: readonly KeptSegment[],
  members: Members,
): Promise<MembershipChange[]> {
  if (segments.length === 0) return [];
  const by: MembersBy = 'ids' in members ? 'IDS' : 'RANGE';
  const statement = await statementFor(tx, all, segments, by);
  const places = 'ids' in members ? [members.ids] : [members.afterId, members.toId];
  const ids = segments.map(({ id }) => id);
  await preparePlans(tx, by);
  return writeMemberships(tx, statement.text, [ids, ...places, ...statement.values]);
}

async function statementFor(
  tx: Context,
  all: readonly KeptSegment[],
  segments: readonly KeptSegment[],
  by: MembersBy,
): Promise<MembershipStatement> {
  const kept = statementsOf(tx.services);
  const key = `${by} ${segments.map(({ id }) => id).join()} ${versionsOf(all, segments).join()}`;
  const known = kept.get(key);
  if (known) return known;
  const definitions = await definitionsOf(
    tx,
    segments.map(({ id }) => id),
  );
  const resolved = [];
  for (const { id } of segments)
    resolved.push({ id, condition: await resolveCondition(tx, definitions.get(id)!) });
  const statement = membershipStatement(resolved, by);
  kept.set(key, statement);
  return statement;
}

/** Returns the versions of the segments and of all nested segments. */
function versionsOf(all: readonly KeptSegment[], segments: readonly KeptSegment[]): string[] {
  const byId = new Map(all.map((segment) => [segment.id, segment]));
  const found = new Set(segments);
  for (const { nestedIds } of found)
    for (const id of nestedIds) {
      const nested = byId.get(id);
      if (nested) found.add(nested);
    }
  return [...found].map(({ id, version }) => `${id}@${version}`).toSorted();
}
