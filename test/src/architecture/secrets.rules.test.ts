import { expect, test } from '@jest/globals';
import { projectOf } from './project.ts';
import { secrets } from './secrets.rules.ts';

test('what is named like a secret is refused unless it is marked, in inputs, answers and arguments', () => {
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
