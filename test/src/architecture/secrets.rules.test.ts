import { expect, test } from '@jest/globals';
import { projectOf } from './project.ts';
import { secrets } from './secrets.rules.ts';

test('inputs, answers and arguments with the name of a secret are refused unless they are marked', () => {
  const text = [
    'extend type Mutation { changePassword(newPassword: String!, hint: String): Boolean! }',
    'extend type Mutation { confirm(token: String! @secret): Session! }',
    'type Session { token: String! }',
    'input LoginInput { password: String! @secret, email: String! }',
  ].join('\n');
  const faults = secrets.check(projectOf({ 'subgraphs/workspace/src/a/a.graphql': text }));
  expect(faults.map(({ line, message }) => [line, message.split(' ')[0]])).toEqual([
    [1, 'Mutation.changePassword(newPassword)'],
    [3, 'Session.token'],
  ]);
});
