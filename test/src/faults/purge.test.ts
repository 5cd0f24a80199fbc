import { expect, test } from '@jest/globals';
import { shapes } from '../contract/shapes.ts';
import { useStack } from '../harness/stack.ts';

// The timeout is shorter than the time for which an answer waits for a purge; no worker finishes one here.
const stack = useStack({ settings: { SUBGRAPH_TIMEOUT_MS: 2_900 } });

test('a purge that outlasts the time of its request is answered in time, with the body that is documented', async () => {
  const { token } = await stack.signUp();
  const { secret } = await stack.key(token, undefined, 'TEST');
  const { status, body } = await stack.rest('POST', '/api/v2/test-data/purge', { as: secret });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      data: {
        id: shapes.uuid,
        status: 'running',
        purged: {},
        created_at: shapes.instant,
        finished_at: null,
      },
    },
  });
});
