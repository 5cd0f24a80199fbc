import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { environmentOf } from './environment.ts';
import { type Process, startProcess, startSeven } from './processes.ts';

const database = await createTestDatabase();
let seven: Awaited<ReturnType<typeof startSeven>>;
let second: Process;
let token: string;

beforeAll(async () => {
  seven = await startSeven(environmentOf(database.url));
  second = await startProcess(['serve', 'gateway'], seven.env);
  const { rest } = clientOf(seven.url);
  const account = { email: 'ada@example.com', password: 'a long password to end' };
  await rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Ada' } });
  ({ token } = (await rest('POST', '/api/v2/auth/login', { body: account })).body);
}, 120_000);
afterAll(async () => {
  await second.end();
  await seven.close();
  await database.drop();
}, 60_000);

const statusOf = async (url: string, key: string): Promise<number> =>
  (await clientOf(url).rest('GET', '/api/v2/members', { as: key })).status;

/** Another gateway may believe a key that it has asked for this long. */
const BELIEVED_MS = 1_000;

test('the gateway that revoked a key refuses it at once, another what begins a second later', async () => {
  const { rest } = clientOf(seven.url);
  for (let n = 0; n < 100; n += 1) {
    const { body } = await rest('POST', '/api/v2/api-keys', {
      as: token,
      body: { name: 'till', scopes: ['members:read'] },
    });
    expect([await statusOf(seven.url, body.key), await statusOf(second.url, body.key)]).toEqual([200, 200]);
    await rest('DELETE', `/api/v2/api-keys/${body.id}`, { as: token });
    const revokedAt = performance.now();
    expect([n, await statusOf(seven.url, body.key)]).toEqual([n, 401]);
    for (let askedAt = revokedAt; ; askedAt = performance.now()) {
      if ((await statusOf(second.url, body.key)) === 401) break;
      expect(askedAt - revokedAt).toBeLessThan(BELIEVED_MS);
    }
  }
}, 300_000);
