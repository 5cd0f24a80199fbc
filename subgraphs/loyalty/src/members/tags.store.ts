import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { TagInput } from './tag-keys.ts';

export type TagSource = 'API' | 'APPLICATION' | 'AUTOMATION' | 'IMPORT';

export interface Tag {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  /** Number of members with the tag. */
  readonly memberCount: number;
  readonly createdAt: Date;
}

/** A tag of one member. */
export interface MemberTag {
  readonly tag: Tag;
  readonly source: TagSource;
  readonly addedAt: Date;
}

const select = columns('id', 'key', 'label', 'memberCount', 'createdAt');
const sqlColumns = inSql(select, 't');
const scoped = inScope('t');

export const tagsPage = (ctx: Context, request: PageRequest): Promise<Page<Tag>> =>
  pageOf(ctx.prisma.tag, request, { where: {}, select });

export const tagById = loader(async (ctx, ids: readonly string[]) => {
  const rows: Tag[] = await ctx.prisma.tag.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

export async function tagIdByKey(ctx: Context, key: string): Promise<string | null> {
  const tag = await ctx.prisma.tag.findFirst({ where: { key }, select: columns('id') });
  return tag?.id ?? null;
}

/** Loads tags of members, in the order in which they were added. */
export const tagsByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<Tag & { memberId: string; source: TagSource; addedAt: Date }>(
    `SELECT ${sqlColumns}, mt.member_id, mt.source, mt.added_at
       FROM loyalty.member_tags AS mt JOIN loyalty.tags AS t ON ${scoped} AND t.id = mt.tag_id
      WHERE ${inScope('mt')} AND mt.member_id = ANY($3::uuid[])
      ORDER BY mt.added_at, t.key`,
    [workspaceId, mode, memberIds],
  );
  const byMember = Map.groupBy(rows, ({ memberId }) => memberId);
  return new Map([...byMember].map(([id, found]) => [id, found.map(tagOfRow)]));
});

const tagOfRow = ({
  memberId: _,
  source,
  addedAt,
  ...tag
}: Tag & { memberId: string; source: TagSource; addedAt: Date }): MemberTag => ({ tag, source, addedAt });

/** Creates the tags that do not exist yet, in the order of their keys, so that callers queue. */
export async function createTags(ctx: Context, words: readonly TagInput[]): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO loyalty.tags (id, workspace_id, mode, key, label, created_at)
     SELECT w.id, $1, $2::platform."Mode", w.key, w.label, $6
       FROM unnest($3::uuid[], $4::text[], $5::text[]) AS w(id, key, label)
      WHERE NOT EXISTS (SELECT 1 FROM loyalty.tags AS t WHERE ${scoped} AND t.key = w.key)
      ORDER BY w.key
     ON CONFLICT DO NOTHING`,
    [
      workspaceId,
      mode,
      words.map(() => newId(ctx.clock)),
      ...arraysOf(words, 'key', 'label'),
      ctx.clock.now(),
    ],
  );
}

/**
 * Adds existing tags to members and returns those that were really added; increases the counts of the tags.
 * Tags are locked in the order of their ids, so that two callers cannot deadlock.
 */
export async function addTags(
  ctx: Context,
  pairs: readonly { readonly memberId: string; readonly key: string }[],
  source: TagSource,
): Promise<{ memberId: string; tagId: string }[]> {
  const { workspaceId, mode } = ctx.scope;
  return ctx.sql.query(
    `WITH added AS (
       INSERT INTO loyalty.member_tags AS mt (workspace_id, mode, member_id, tag_id, source, added_at)
       SELECT $1, $2::platform."Mode", p.member_id, t.id, $5::loyalty."TagSource", $6
         FROM unnest($3::uuid[], $4::text[]) AS p(member_id, key)
         JOIN loyalty.tags AS t ON ${scoped} AND t.key = p.key
        ORDER BY p.member_id, t.id
       ON CONFLICT DO NOTHING
       RETURNING mt.member_id, mt.tag_id
     ), counts AS (
       SELECT tag_id, count(*)::int AS added FROM added GROUP BY tag_id
     ), locked AS (
       SELECT t.id, counts.added FROM loyalty.tags AS t JOIN counts ON counts.tag_id = t.id
        WHERE ${scoped} ORDER BY t.id FOR NO KEY UPDATE OF t
     ), counted AS (
       UPDATE loyalty.tags AS t SET member_count = t.member_count + locked.added
         FROM locked WHERE ${scoped} AND t.id = locked.id
     )
     SELECT member_id, tag_id FROM added`,
    [workspaceId, mode, ...arraysOf(pairs, 'memberId', 'key'), source, ctx.clock.now()],
  );
}

/** Removes a tag from a member; returns null if the member does not have it. */
export async function removeTag(ctx: Context, memberId: string, key: string): Promise<string | null> {
  const [removed] = await removeTags(ctx, [memberId], [key]);
  return removed?.tagId ?? null;
}

/** Removes tags from members and returns those that each of them had; decreases the counts of the tags. */
export async function removeTags(
  ctx: Context,
  memberIds: readonly string[],
  keys: readonly string[],
): Promise<{ memberId: string; tagId: string }[]> {
  const { workspaceId, mode } = ctx.scope;
  return ctx.sql.query<{ memberId: string; tagId: string }>(
    `WITH removed AS (
       DELETE FROM loyalty.member_tags AS mt USING loyalty.tags AS t
        WHERE ${scoped} AND t.key = ANY($4::text[]) AND mt.tag_id = t.id
          AND ${inScope('mt')} AND mt.member_id = ANY($3::uuid[])
       RETURNING mt.member_id, mt.tag_id
     ), counts AS (
       SELECT tag_id, count(*)::int AS removed FROM removed GROUP BY tag_id
     ), locked AS (
       SELECT t.id, counts.removed FROM loyalty.tags AS t JOIN counts ON counts.tag_id = t.id
        WHERE ${scoped} ORDER BY t.id FOR NO KEY UPDATE OF t
     ), counted AS (
       UPDATE loyalty.tags AS t SET member_count = t.member_count - locked.removed
         FROM locked WHERE ${scoped} AND t.id = locked.id
     )
     SELECT member_id, tag_id FROM removed`,
    [workspaceId, mode, memberIds, keys],
  );
}

/** Returns null if there is no such tag. */
export async function changeLabel(ctx: Context, key: string, label: string): Promise<Tag | null> {
  const [row] = await ctx.prisma.tag.updateManyAndReturn({ where: { key }, data: { label }, select });
  return row ?? null;
}
