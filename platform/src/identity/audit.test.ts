import { expect, test } from '@jest/globals';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import type { Context } from '../context.ts';
import { encodeCursor, pageRequest } from '../database/pages.ts';
import { audit, listAudit } from './audit.ts';

const { services } = useServices();

const newContext = () => contextOf(services, callerOf({ actor: 'user:ada' }));
const change = { action: 'setModule', resourceType: 'Module', resourceId: 'location' };
const entries = async (ctx: Context, filter = {}, paging = {}) =>
  (await listAudit(ctx, pageRequest(paging), filter)).rows;

test('a change is recorded with who made it, when, by which request, and what was before and after', async () => {
  const ctx = newContext();
  await audit(ctx, {
    ...change,
    before: { isEnabled: false },
    after: { isEnabled: true, since: new Date(0) },
  });
  expect(await entries(ctx)).toMatchObject([
    {
      ...change,
      actor: 'user:ada',
      requestId: 'test',
      before: { isEnabled: false },
      after: { isEnabled: true, since: '1970-01-01T00:00:00.000Z' },
      createdAt: services.clock.now(),
    },
  ]);
});

test('a change that is not kept leaves no record', async () => {
  const ctx = newContext();
  const failing = ctx.transaction(async (tx) => {
    await audit(tx, change);
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await entries(ctx)).toEqual([]);
});

test('one workspace never reads the changes of another', async () => {
  const ctx = newContext();
  await audit(ctx, change);
  expect(await entries(newContext())).toEqual([]);
});

test('changes come newest first, in pages, and of one resource when asked', async () => {
  const ctx = newContext();
  for (const resourceId of ['a', 'b', 'a', 'b', 'a']) await audit(ctx, { ...change, resourceId });
  const all = await entries(ctx);
  expect(all.map(({ resourceId }) => resourceId)).toEqual(['a', 'b', 'a', 'b', 'a']);
  expect(
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  ).toEqual(all.map(({ id }) => id));
  expect(await entries(ctx, {}, { first: 2, after: encodeCursor(all[1]!.id) })).toEqual(all.slice(2, 4));
  expect(await entries(ctx, {}, { first: 2, offset: 2 })).toEqual(all.slice(2, 4));
  const found = await listAudit(ctx, pageRequest({ first: 1 }), { resourceType: 'Module', resourceId: 'b' });
  expect(found).toMatchObject({ rows: [{ resourceId: 'b' }], hasNextPage: true });
  expect(await found.total()).toBe(2);
});
