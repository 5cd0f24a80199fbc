import type { CallerKind } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/outbox/events';
import { type TagInput, tagKeyOf } from './tag-keys.ts';
import { memberTagged, memberUntagged } from './tags.events.ts';
import { addTags, createTags, removeTags, type TagSource, tagIdByKey } from './tags.store.ts';

/** The id of a tag by its key or label; null when the workspace has none. */
export const findTagId = (ctx: Context, keyOrLabel: string): Promise<string | null> =>
  tagIdByKey(ctx, tagKeyOf(keyOrLabel));

/** Checked tags for one member. */
interface Tagging {
  readonly memberId: string;
  readonly tags: readonly TagInput[];
}

/**
 * Adds tags to members in the caller's transaction, always in three statements. A tag that a member has
 * already stays as it is; an unknown tag is created. Every tag that was really added is published once.
 *
 * @param taggings - of members that the caller has locked, so that none is erased meanwhile
 * @returns how many were really added
 */
export async function putTags(
  tx: Context,
  taggings: readonly Tagging[],
  source: TagSource = sourceOf[tx.caller.kind],
): Promise<number> {
  const words = new Map(taggings.flatMap(({ tags }) => tags.map((word) => [word.key, word])));
  if (words.size === 0) return 0;
  await createTags(tx, [...words.values()]);
  const pairs = taggings.flatMap(({ memberId, tags }) => tags.map(({ key }) => ({ memberId, key })));
  const added = await addTags(tx, pairs, source);
  await publishAll(tx, memberTagged, added);
  return added.length;
}

/**
 * Removes tags from those of the members who have them, in the caller's transaction; each is published.
 *
 * @param memberIds - of members that the caller has locked
 * @returns how many were really removed
 */
export async function takeTags(
  tx: Context,
  memberIds: readonly string[],
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const removed = await removeTags(tx, memberIds, keys);
  await publishAll(tx, memberUntagged, removed);
  return removed.length;
}

const sourceOf: Readonly<Record<CallerKind, TagSource>> = {
  KEY: 'API',
  USER: 'APPLICATION',
  MEMBER: 'APPLICATION',
  PUBLISHABLE: 'API',
  ANONYMOUS: 'APPLICATION',
  SYSTEM: 'AUTOMATION',
};
