import { expect, test } from '@jest/globals';
import { filterOf, isShown } from './calls-search.ts';

test('calls of integrations are shown, and a request id is looked for among all calls', () => {
  expect(filterOf({})).toEqual({
    callerKind: 'KEY',
    apiKeyId: null,
    outcomes: null,
    requestId: null,
    from: null,
    to: null,
  });
  expect(filterOf({ request: 'r-1' })).toMatchObject({ callerKind: null, requestId: 'r-1' });
  expect(filterOf({ request: 'r-1', caller: 'USER' })).toMatchObject({ callerKind: 'USER' });
  expect(filterOf({ caller: 'ALL' })).toMatchObject({ callerKind: null });
});

test('what an address names that does not exist is left out', () => {
  expect(filterOf({ caller: 'nobody', outcome: 'toString', from: 'monday' })).toEqual(filterOf({}));
  expect(filterOf({ outcome: 'UNSUCCESSFUL' }).outcomes).toEqual(['REFUSED', 'FAILED']);
  expect(filterOf({ from: '2026-03-02', to: '2026-03-01' })).toMatchObject({ from: '2026-03-02', to: null });
});

test('a call that has just been made is shown where the list would have it', () => {
  const call = (actor: string, status: number, reason: 'MEMBER_NOT_FOUND' | null = null) => ({
    actor,
    status,
    reason,
  });
  const unsuccessful = filterOf({ outcome: 'UNSUCCESSFUL' });
  expect(isShown(call('key:1', 404), unsuccessful)).toBe(true);
  expect(isShown(call('key:1', 200, 'MEMBER_NOT_FOUND'), unsuccessful)).toBe(true);
  expect(isShown(call('key:1', 200), unsuccessful)).toBe(false);
  expect(isShown(call('user:1', 404), unsuccessful)).toBe(false);
  expect(isShown(call('key:1', 503), filterOf({ outcome: 'REFUSED' }))).toBe(false);
  expect(isShown(call('user:1', 503), filterOf({ caller: 'ALL' }))).toBe(true);
});
