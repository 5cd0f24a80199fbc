import { beforeAll, expect, test } from '@jest/globals';
import { screenDocument } from './harness/screen-document.ts';
import { useStack } from './harness/stack.ts';

/*
 * PostgreSQL makes custom plans for the first five runs of a prepared statement. Then it keeps one generic
 * plan, unless custom plans look much cheaper. Without a generic plan every run is planned, which often takes
 * longer than the run itself. The test has connections of its own, because shared ones have planned for the
 * data of other files.
 */
const stack = useStack({ timeouts: { statementTimeoutMs: 30_000 } });
const PLANS_AT_FIRST = 5;
const TIMES = 20;

const scopes = [
  ...['members:read', 'members:write', 'points:write', 'orders:read', 'orders:write'],
  ...['predictions:read', 'tracking:write'],
];

let token: string;
let secret: string;
let memberId: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'tracking');
  ({ secret } = await stack.key(token, scopes));
  const made = await stack.rest('POST', '/api/v2/members', { as: secret, body: { email: 'a@example.com' } });
  memberId = made.body.id;
});

interface Planned {
  readonly statement: string;
  readonly custom: number;
}

/** Statements that had more custom plans than the first five on some connection. */
async function plannedAgain(): Promise<string[]> {
  const { database } = stack.services;
  const found: Planned[] = [];
  const { max } = database.pools().shared;
  let taken = 0;
  let allTaken!: () => void;
  const everyone = new Promise<void>((resolve) => {
    allTaken = resolve;
  });
  const one = () =>
    database.connection(async (client) => {
      taken += 1;
      if (taken === max) allTaken();
      await everyone;
      const { rows } = await client.query<Planned>(
        `SELECT statement, custom_plans::int AS custom FROM pg_prepared_statements WHERE custom_plans > $1`,
        [PLANS_AT_FIRST],
      );
      found.push(...rows);
    });
  await Promise.all(Array.from({ length: max }, one));
  return [...new Set(found.map(({ statement }) => statement.replaceAll(/\s+/g, ' ')))];
}

async function repeat(request: (number: number) => Promise<unknown>): Promise<void> {
  for (let number = 0; number < TIMES; number += 1) await request(number);
}

const graph = async (operationName: string, variables: object): Promise<void> => {
  const query = screenDocument(operationName);
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ operationName, query, variables }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  expect(errors).toBeUndefined();
};

const rest = async (method: string, path: string, status: number, body?: object): Promise<void> => {
  const answer = await stack.rest(method, path, { as: secret, body });
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
};

const sendAll = async (run: string) => {
  const member = { canSeeOrders: true, canSeeReceipts: false, canSeeSegments: true };
  const activity = { canSeeActivity: true, canSeeActors: true };
  const model = { canSeeState: true, canSeePredictions: true };
  const now = new Date().toISOString();
  await repeat(() => rest('GET', `/api/v2/members/${memberId}`, 200));
  await repeat(() => graph('Member', { id: memberId, ...member, ...activity, ...model }));
  await repeat(() => graph('Members', { first: 50 }));
  await repeat(() => rest('POST', `/api/v2/members/${memberId}/points`, 200, { amount: 5 }));
  await repeat((number) =>
    rest('POST', '/api/v2/orders', 201, {
      externalOrderId: `${run}-${number}`,
      memberId,
      occurredAt: now,
      currency: 'EUR',
      total: 1_000,
      items: [{ externalProductId: 'mug', name: 'Mug', quantity: 1, unitPrice: 1_000 }],
    }),
  );
  await repeat((number) => rest('POST', `/api/v2/orders/${run}-${number}/refund`, 200, { amount: 500 }));
  await repeat((number) =>
    rest('POST', '/api/v2/tracking/events', 202, {
      events: [
        { id: `${run}-${number}`, event: 'view', memberId, occurredAt: now, properties: { path: '/tea' } },
      ],
    }),
  );
  await repeat(() =>
    rest('POST', '/api/v1/capabilities', 200, {
      name: 'model_predict_purchase',
      arguments: { member_id: memberId },
    }),
  );
};

// Statistics change the costs of plans, and autovacuum may collect them at any time.
test('requests that are sent often have plans that are kept, before and after statistics', async () => {
  await sendAll('before');
  expect(await plannedAgain()).toEqual([]);
  await stack.services.database.connection((client) => client.query('ANALYZE'));
  await sendAll('after');
  expect(await plannedAgain()).toEqual([]);
});
