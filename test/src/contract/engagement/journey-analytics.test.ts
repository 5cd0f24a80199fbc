import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
let token: string;
let key: string;
let id: string;

const definition = {
  entry: { event: { type: 'store.visited' } },
  reentry: { rule: 'NEVER' },
  start: 'wait',
  nodes: [
    { id: 'wait', label: 'One day', type: 'delay', days: 1, next: 'out' },
    { id: 'out', type: 'exit' },
  ],
};

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token, ['metrics:read'])).secret;
  const create = 'mutation ($input: CreateJourneyInput!) { createJourney(input: $input) { id } }';
  const { data } = await stack.graph<{ createJourney: { id: string } }>(
    create,
    { input: { name: 'Journey', definition } },
    token,
  );
  ({ id } = data.createJourney);
});

const read = (of: string, as: string) => stack.rest('GET', `/api/campaigns/${of}/journey-analytics`, { as });

test('GET /api/campaigns/{id}/journey-analytics prints what became of members in each node', async () => {
  const { status, body } = await read(id, key);
  const none = { entered: 0, sent: 0, skipped: 0 };
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      campaignId: id,
      nodes: [
        { nodeId: 'wait', type: 'delay', label: 'One day', ...none },
        { nodeId: 'out', type: 'exit', label: 'out', ...none },
      ],
      computed_at: shapes.instant,
    },
  });
});

test('an id that is unknown, or of another workspace, is 404; a key without metrics:read is refused', async () => {
  const { token: stranger } = await stack.signUp();
  const foreign = (await stack.key(stranger, ['metrics:read'])).secret;
  expectError(await read(id, foreign), 404, 'CAMPAIGN_NOT_FOUND', id);
  expectError(await read('nothing', key), 404, 'CAMPAIGN_NOT_FOUND', 'nothing');
  const other = (await stack.key(token, ['members:read'])).secret;
  expectError(await read(id, other), 403, 'SCOPE_MISSING', 'metrics:read');
});
