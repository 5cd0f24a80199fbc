import { expect, test } from '@jest/globals';
import { userOf } from './caller.ts';

test.each([
  ['user:019cadfd', { id: '019cadfd' }],
  ['key:019cadfd', null],
  ['system:recalculate-tiers', null],
  ['user:', null],
  [null, null],
])('behind the actor %s is the user %p', (actor, user) => {
  expect(userOf(actor)).toEqual(user);
});
