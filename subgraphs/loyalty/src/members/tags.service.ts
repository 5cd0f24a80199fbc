import type { CallerKind } from '@loyalty/platform/base/caller';
import { AppError, invalid, notFound } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { publish, publishAll } from '@loyalty/platform/work/events';
import { lockMember, lockMembersForUpdate, type Member, unmasked } from './members.service.ts';
import { checkTagKeys, type TagInput, tagKeyOf } from './tag-keys.ts';
import { memberTagged, memberUntagged } from './tags.events.ts';
import {
  addTags,
  changeLabel,
  createTags,
  removeTag,
  removeTags,
  type Tag,
  type TagSource,
  tagIdByKey,
  tagsPage,
} from './tags.store.ts';

const LABEL_LENGTH_MAX = 64;

const MEMBERS_PER_CALL_MAX = 200;

/**
 * Returns tags of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4, GET /tags
 */
export const listTags = async (ctx: Context, args: PageArgs): Promise<Page<Tag>> =>
  tagsPage(ctx, pageRequest(args));

/**
 * Adds one or several tags to a member; tags that the member has already are skipped, unknown tags are
 * created. Every tag that was really added is published once by `member.tagged`.
 *
 * @param wanted.key - one tag, or
 * @param wanted.keys - up to 20
 * @throws AppError MEMBER_NOT_FOUND (404), VALIDATION_FAILED (400)
 * @remarks Source: requirements L-MEM-27
 */
export async function tagMember(
  ctx: Context,
  memberId: string,
  wanted: { readonly key?: string | null | undefined; readonly keys?: readonly string[] | null | undefined },
): Promise<Member> {
  const { key, keys } = wanted;
  const tags = [...(key ? checkTagKeys('key', [key]) : []), ...(keys ? checkTagKeys('keys', keys) : [])];
  if (tags.length === 0) throw invalid(keys ? 'keys' : 'key', inputRule('REQUIRED', 'must name a tag'));
  return ctx.transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    await putTags(tx, [{ memberId, tags }]);
    return unmasked(member);
  });
}

/**
 * Removes a tag from a member; of concurrent calls one succeeds, the others fail with 404.
 *
 * @throws AppError MEMBER_NOT_FOUND, MEMBER_TAG_NOT_FOUND (404) if the member does not have the tag
 * @remarks Source: requirements L-MEM-28
 */
export async function untagMember(ctx: Context, memberId: string, key: string): Promise<Member> {
  return ctx.transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    const tagId = await removeTag(tx, memberId, tagKeyOf(key));
    if (!tagId) {
      throw new AppError('NOT_FOUND', 'MEMBER_TAG_NOT_FOUND', 'The member does not have this tag.');
    }
    await publish(tx, memberUntagged, { memberId, tagId });
    return unmasked(member);
  });
}

/**
 * Adds tags to many members and removes others, in as many statements as for one member. Tags to add that a
 * member has already, and tags to remove that it does not have, are skipped; each real change is published
 * once.
 *
 * @param memberIds - 1 to 200
 * @throws AppError MEMBER_NOT_FOUND (404) if one of them is unknown, VALIDATION_FAILED (400); nothing changes
 *   then
 */
export async function tagMembers(
  ctx: Context,
  memberIds: readonly string[],
  wanted: {
    readonly add?: readonly string[] | null | undefined;
    readonly remove?: readonly string[] | null | undefined;
  },
): Promise<{ readonly added: number; readonly removed: number }> {
  const ids = [...new Set(memberIds.map((id) => id.toLowerCase()))].sort();
  if (ids.length === 0 || ids.length > MEMBERS_PER_CALL_MAX)
    throw invalid('memberIds', `must have 1 to ${MEMBERS_PER_CALL_MAX} ids`);
  if (!ids.every(isUuid)) throw invalid('memberIds', inputRule('UNKNOWN', 'must be ids of members'));
  const tags = checkTagKeys('add', wanted.add ?? []);
  const gone = checkTagKeys('remove', wanted.remove ?? []).map(({ key }) => key);
  if (tags.length + gone.length === 0) throw invalid('add', inputRule('REQUIRED', 'must name a tag'));
  if (tags.some(({ key }) => gone.includes(key)))
    throw invalid('remove', 'must not name a tag that is added');
  return ctx.transaction(async (tx) => {
    const found = new Set(await lockMembersForUpdate(tx, ids));
    const unknown = ids.find((id) => !found.has(id));
    if (unknown) throw notFound('member', unknown);
    const added = await putTags(
      tx,
      ids.map((memberId) => ({ memberId, tags })),
    );
    return { added, removed: await takeTags(tx, ids, gone) };
  });
}

/**
 * Changes the label of a tag; its key does not change.
 *
 * @throws AppError TAG_NOT_FOUND (404), VALIDATION_FAILED (400)
 */
export async function setTagLabel(ctx: Context, key: string, text: string): Promise<Tag> {
  const label = checkText('label', text, LABEL_LENGTH_MAX);
  return ctx.transaction(async (tx) => {
    const tag = await changeLabel(tx, tagKeyOf(key), label);
    if (!tag) throw new AppError('NOT_FOUND', 'TAG_NOT_FOUND', 'The workspace has no tag with this key.');
    const change = { resourceType: 'Tag', resourceId: tag.id, after: { label } };
    await audit(tx, { action: 'setTagLabel', ...change });
    return tag;
  });
}

/** Returns the id of a tag by its key or label; null if the workspace has none. */
export const findTagId = (ctx: Context, keyOrLabel: string): Promise<string | null> =>
  tagIdByKey(ctx, tagKeyOf(keyOrLabel));

/** Checked tags for one member. */
interface Tagging {
  readonly memberId: string;
  readonly tags: readonly TagInput[];
}

/**
 * Adds tags to members in the caller's transaction, always in three statements. Tags that a member has
 * already are skipped; an unknown tag is created. Every tag that was really added is published once.
 *
 * @param taggings - tags of members that the caller has locked, so that none is erased meanwhile
 * @returns the number of tags that were really added
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
 * @returns the number of tags that were really removed
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
