import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { computeSegment, deleteDropped } from '../profiles/computations.service.ts';
import { storedMemberships } from '../profiles/memberships.fixture.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { createSegment, updateSegment } from '../segments/edit-segment.service.ts';
import { checkSegments, findSegment, watchSegment } from '../segments/segments.service.ts';
import { engagement } from '../subgraph.ts';
import { deleteSegment, usesOfSegment } from './segment-uses.service.ts';

const { ctx, newContext, fresh } = useServices();
const ask = askOf(engagement);

const everybody = { op: 'and', conditions: [] };
const create = (of: Context, name: string, definition: unknown = everybody) =>
  createSegment(of, { name, definition });
const within = (segment: string) => ({ op: 'not', conditions: [{ segment }] });

test('a segment that another one contains is kept, and the conflict names it', async () => {
  const inner = await create(ctx, 'Inner');
  const outer = await create(ctx, 'Outer', within(inner.id));
  const third = await create(ctx, 'Third', within(inner.id));
  await expect(deleteSegment(ctx, inner.id)).rejects.toMatchObject({
    ...{ code: 'SEGMENT_IN_USE', category: 'CONFLICT' },
    message: '“Inner” is used by the segment “Outer” and the segment “Third”. Take it out there first.',
  });
  expect(await findSegment(fresh(), inner.id)).toMatchObject({ name: 'Inner' });
  const { data } = await ask(ctx, `{ segment(id: "${inner.id}") { usedBy { kind id name } } }`);
  expect(data.segment.usedBy).toEqual([
    { kind: 'SEGMENT', id: outer.id, name: 'Outer' },
    { kind: 'SEGMENT', id: third.id, name: 'Third' },
  ]);
  await updateSegment(ctx, outer.id, { definition: everybody });
  await deleteSegment(ctx, third.id);
  expect(await usesOfSegment(fresh(), inner.id)).toEqual([]);
  expect(await deleteSegment(fresh(), inner.id)).toEqual({ id: inner.id, deleted: true });
});

test('a deleted segment is gone for its watchers, with its members and sizes', async () => {
  await givenProfiles(ctx, [{}, {}]);
  const { id } = await create(ctx, 'All');
  await computeSegment(ctx, id);
  expect(await storedMemberships(ctx)).toHaveLength(2);
  const watched = await watchSegment(ctx, id);
  expect((await watched.next()).value).toMatchObject({ memberCount: 2 });
  await deleteSegment(fresh(), id);
  expect((await watched.next()).done).toBe(true);
  await deleteDropped(ctx, id);
  expect(await storedMemberships(ctx)).toEqual([]);
  const sizes = await ctx.sql.query(
    'SELECT FROM engagement.segment_sizes WHERE workspace_id = $1 AND segment_id = $2',
    [ctx.scope.workspaceId, id],
  );
  expect(sizes).toEqual([]);
  await expect(deleteSegment(fresh(), id)).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
});

test('another workspace and mode cannot delete it', async () => {
  const { id } = await create(ctx, 'Mine');
  for (const other of [newContext(), fresh({ mode: 'TEST' })])
    await expect(deleteSegment(other, id)).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
});

test('who checks a segment within a transaction has it until the end, or does not get it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await create(ctx, `Inner ${round}`);
    const [made, deleted] = await Promise.allSettled([
      create(fresh(), `Outer ${round}`, within(id)),
      deleteSegment(fresh(), id),
    ]);
    expect([made.status, deleted.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    const isThere = (await findSegment(fresh(), id)) !== null;
    expect(isThere).toBe(made.status === 'fulfilled');
  }
});

test('a lock by a user of the segment makes its deletion wait', async () => {
  const { id } = await create(ctx, 'Used');
  const order: string[] = [];
  let deleting: Promise<unknown> = Promise.resolve();
  await ctx.transaction(async (tx) => {
    await checkSegments(tx, [id], 'input.segmentIds');
    deleting = deleteSegment(fresh(), id).then(() => order.push('deleted'));
    // Waits until the database reports that the other transaction waits for the row.
    for (;;) {
      const waiting = await fresh().sql.query(
        `/* every workspace */ SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE 'DELETE FROM "engagement"."segments"%'`,
        [],
      );
      if (waiting.length > 0) break;
    }
    order.push('used');
  });
  await deleting;
  expect(order).toEqual(['used', 'deleted']);
});
