import { describe, expect, test } from '@jest/globals';
import { fixedClock } from './clock.ts';
import { newId } from './ids.ts';
import { connection, encodeCursor, page, pageRequest } from './pages.ts';

const id = newId(fixedClock('2026-03-02T10:00:00.000Z'));
const other = newId(fixedClock('2026-03-02T10:00:01.000Z'));

describe('a page', () => {
  test('has 50 rows from the start unless something else is asked for', () => {
    expect(pageRequest({})).toEqual({ size: 50, offset: 0, afterId: null });
    expect(pageRequest({ first: null, after: null, offset: null })).toEqual({
      size: 50,
      offset: 0,
      afterId: null,
    });
    expect(pageRequest({}, 10)).toMatchObject({ size: 10 });
  });

  test('goes on after the row whose cursor it is given', () => {
    expect(pageRequest({ first: 200, after: encodeCursor(id) })).toEqual({
      size: 200,
      offset: 0,
      afterId: id,
    });
  });

  test.each([
    [{ first: 0 }, 'first must be between 1 and 200.'],
    [{ first: -5 }, 'first must be between 1 and 200.'],
    [{ first: 201 }, 'first must be between 1 and 200.'],
    [{ offset: -1 }, 'offset must be between 0 and 10000000.'],
    [{ offset: 10_000_001 }, 'offset must be between 0 and 10000000.'],
    [{ after: 'nonsense' }, 'after must be a cursor that an earlier page returned.'],
    [{ after: id }, 'after must be a cursor that an earlier page returned.'],
    [
      { after: Buffer.from(`${id}' OR true`).toString('base64url') },
      'after must be a cursor that an earlier page returned.',
    ],
    [{ after: encodeCursor(id), offset: 1 }, 'offset cannot be combined with after.'],
  ])('asked for with %j is refused with a sentence', (args, message) => {
    expect(() => pageRequest(args)).toThrow(
      expect.objectContaining({ category: 'BAD_USER_INPUT', message }) as never,
    );
  });

  test('may have a smaller greatest size than 200', () => {
    expect(() => pageRequest({ first: 21 }, 20, 20)).toThrow('first must be between 1 and 20.');
  });
});

describe('a connection', () => {
  const request = pageRequest({ first: 1 });
  const counted = { times: 0 };
  const total = async () => {
    counted.times += 1;
    return 2;
  };

  test('cuts the row that only shows that another page follows', () => {
    const found = connection(page(request, [{ id }, { id: other }], total));
    expect(found.nodes).toEqual([{ id }]);
    expect(found.pageInfo).toEqual({ hasNextPage: true, endCursor: encodeCursor(id) });
    expect(found.edges()).toEqual([{ node: { id }, cursor: encodeCursor(id) }]);
  });

  test('of the last page says that none follows', () => {
    expect(connection(page(request, [{ id }], total)).pageInfo.hasNextPage).toBe(false);
  });

  test('without rows has no cursor', () => {
    expect(connection(page(request, [], total)).pageInfo).toEqual({ hasNextPage: false, endCursor: null });
  });

  test('counts only when it is asked how many there are', async () => {
    const found = connection(page(request, [{ id }], total));
    expect(counted.times).toBe(0);
    expect(await found.totalCount()).toBe(2);
  });
});
