import { describe, expect, test } from '@jest/globals';
import { fixedClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { connection, encodeCursor, page, pageRequest } from './pages.ts';

const id = newId(fixedClock('2026-03-02T10:00:00.000Z'));
const other = newId(fixedClock('2026-03-02T10:00:01.000Z'));

describe('a page', () => {
  test('has 50 rows from the start unless something else is asked for', () => {
    const start = { size: 50, offset: 0, cursorId: null, isBackward: false };
    expect(pageRequest({})).toEqual(start);
    const nothing = { first: null, after: null, last: null, before: null, offset: null };
    expect(pageRequest(nothing)).toEqual(start);
    expect(pageRequest({}, 10)).toMatchObject({ size: 10 });
  });

  test('goes on after the row whose cursor it is given', () => {
    expect(pageRequest({ first: 200, after: encodeCursor(id) })).toEqual({
      size: 200,
      offset: 0,
      cursorId: id,
      isBackward: false,
    });
  });

  test('before a row, or at the end of the list, is read backward', () => {
    const backward = { offset: 0, isBackward: true };
    expect(pageRequest({ last: 3, before: encodeCursor(id) })).toEqual({
      ...backward,
      size: 3,
      cursorId: id,
    });
    expect(pageRequest({ last: 3 })).toEqual({ ...backward, size: 3, cursorId: null });
    expect(pageRequest({ before: encodeCursor(id) }, 10)).toEqual({ ...backward, size: 10, cursorId: id });
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
    [{ last: 0 }, 'last must be between 1 and 200.'],
    [{ last: 201 }, 'last must be between 1 and 200.'],
    [{ before: 'nonsense' }, 'before must be a cursor that an earlier page returned.'],
    [{ last: 1, first: 1 }, 'first cannot be combined with last.'],
    [{ last: 1, after: encodeCursor(id) }, 'after cannot be combined with last.'],
    [{ before: encodeCursor(id), first: 1 }, 'first cannot be combined with before.'],
    [{ last: 1, offset: 1 }, 'offset cannot be combined with last.'],
  ])('asked for with %j is refused with a sentence', (args, message) => {
    expect(() => pageRequest(args)).toThrow(
      expect.objectContaining({ category: 'BAD_USER_INPUT', message }) as never,
    );
  });

  test('may begin after ten million rows', () => {
    expect(pageRequest({ offset: 10_000_000 })).toMatchObject({ offset: 10_000_000 });
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
    expect(found.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: encodeCursor(id),
      endCursor: encodeCursor(id),
    });
    expect(found.edges()).toEqual([{ node: { id }, cursor: encodeCursor(id) }]);
  });

  test('of the last page says that none follows', () => {
    expect(connection(page(request, [{ id }], total)).pageInfo.hasNextPage).toBe(false);
  });

  test('without rows has no cursor', () => {
    expect(connection(page(request, [], total)).pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    });
  });

  test('that was read backward has the order of the list', () => {
    const backward = pageRequest({
      last: 1,
      before: encodeCursor(newId(fixedClock('2026-01-01T00:00:00Z'))),
    });
    expect(connection(page(backward, [{ id: other }, { id }], total))).toMatchObject({
      nodes: [{ id: other }],
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
  });

  test('counts only when it is asked how many there are', async () => {
    const found = connection(page(request, [{ id }], total));
    expect(counted.times).toBe(0);
    expect(await found.totalCount()).toBe(2);
  });
});
