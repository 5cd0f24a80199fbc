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
 */
export async function putTags(
  tx: Context,
  taggings: readonly Tagging[],
  source: TagSource = sourceOf[tx.caller.kind],
): Promise<void> {
  const words = new Map(taggings.flatMap(({ tags }) => tags.map((word) => [word.key, word])));
  if (words.size === 0) return;
  await createTags(tx, [...words.values()]);
  const pairs = taggings.flatMap(({ memberId, tags }) => tags.map(({ key }) => ({ memberId, key })));
  await publishAll(tx, memberTagged, await addTags(tx, pairs, source));
}

/**
 * Removes a tag from those of the members who have it, in the caller's transaction; each is published.
 *
 * @param memberIds - of members that the caller has locked
 */
export async function takeTag(tx: Context, memberIds: readonly string[], key: string): Promise<void> {
  await publishAll(tx, memberUntagged, await removeTags(tx, memberIds, key));
}

const sourceOf: Readonly<Record<CallerKind, TagSource>> = {
  KEY: 'API',
  USER: 'APPLICATION',
  MEMBER: 'APPLICATION',
  PUBLISHABLE: 'API',
  ANONYMOUS: 'APPLICATION',
  SYSTEM: 'AUTOMATION',
};
