import { batches } from '@loyalty/platform/base/batches';
import { isUuid, newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { MemberRefFragment } from '#generated/peers';
import {
  insertMappings,
  type KnownMapping,
  latestMappings,
  type MemberMapping,
  mappingCount,
  mappingsByExternalId,
} from './member-mappings.store.ts';
import { findMembers } from './members.service.ts';

export type { KnownMapping, MemberMapping };

const LATEST = 100;
/** Names per query of the loyalty subgraph. */
const NAMES_AT_ONCE = 5_000;

/**
 * Returns the 100 latest mappings, newest first.
 *
 * @remarks Source: model API, section 2 "Import batch"; requirement M-IMP-03
 */
export const listMappings = (ctx: Context): Promise<MemberMapping[]> => latestMappings(ctx, LATEST);

/** Returns the number of imported members. */
export const countMappings = (ctx: Context): Promise<number> => mappingCount(ctx);

/** Returns the mappings of these external ids; ids without one are left out. */
export const findMappings = (ctx: Context, externalIds: readonly string[]): Promise<KnownMapping[]> =>
  externalIds.length === 0 ? Promise.resolve([]) : mappingsByExternalId(ctx, externalIds);

/**
 * Stores new mappings.
 *
 * @returns the external ids that had none; existing mappings do not change
 */
export const addMappings = (
  tx: Context,
  mappings: readonly Omit<KnownMapping, 'id'>[],
): Promise<ReadonlySet<string>> =>
  insertMappings(
    tx,
    mappings.map((mapping) => ({ ...mapping, id: newId(tx.clock) })),
  );

/**
 * Finds members by the names in files. A UUID is the id of a member; any other name is searched first among
 * the external ids of imports, then among those of the loyalty programme. Erased and unknown members are left
 * out.
 *
 * @returns members by name; some of them may be restricted
 * @throws AppError PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 2 "Capability", rule 3; requirements M-IMP-10, M-IMP-15
 */
export async function findNamedMembers(
  ctx: Context,
  names: readonly string[],
): Promise<ReadonlyMap<string, MemberRefFragment>> {
  const found = new Map<string, MemberRefFragment>();
  for (const asked of batches(names, NAMES_AT_ONCE)) {
    const mappings = await findMappings(ctx, asked);
    const mapped = new Map(mappings.map(({ externalId, memberId }) => [externalId, memberId]));
    const unmapped = asked.filter((name) => !mapped.has(name));
    const refs = await findMembers(ctx, {
      ids: [...new Set([...mapped.values(), ...asked.filter(isUuid).map((id) => id.toLowerCase())])],
      externalIds: unmapped,
    });
    const byId = new Map(refs.map((ref) => [ref.id, ref]));
    const byExternalId = new Map(refs.map((ref) => [ref.externalId, ref]));
    for (const name of asked) {
      const mapping = mapped.get(name);
      const own = byId.get(name.toLowerCase());
      const ref = own ?? (mapping ? byId.get(mapping) : byExternalId.get(name));
      if (ref) found.set(name, ref);
    }
  }
  return found;
}
