import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '../harness/database/database.ts';
import { environmentOf } from './environment.ts';
import { type Process, startProcess } from './processes.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

/** The number of calls that a client has left in this minute; signing in needs no credential. */
async function remaining({ url }: Process, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${url}/api/v2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: 'ada@example.com', password: 'a long password' }),
  });
  await response.text();
  return Number(/;r=(\d+)/.exec(response.headers.get('ratelimit')!)![1]);
}

test('a REST adapter apart hands addresses on that nobody else can claim, and shows its metrics by token', async () => {
  const env = environmentOf(database.url);
  const METRICS_TOKEN = 'a token of the test';
  const gateway = await startProcess(['serve', 'gateway'], env);
  const behind = { GATEWAY_URL: gateway.url, TRUST_PROXY: '1', METRICS_TOKEN };
  const foreignKeys = { LOYALTY_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}` };
  const [adapter, foreign] = await Promise.all([
    startProcess(['serve', 'rest-adapter'], { ...env, ...behind }),
    startProcess(['serve', 'rest-adapter'], { ...env, ...behind, ...foreignKeys }),
  ]);
  try {
    const full = await remaining(adapter, { 'x-forwarded-for': '203.0.113.7' });
    expect(await remaining(adapter, { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' })).toBe(full - 1);
    expect(
      await remaining(adapter, {
        'x-forwarded-for': '198.51.100.2, 203.0.113.7',
        'x-loyalty-client-address': '198.51.100.2',
      }),
    ).toBe(full - 2);
    expect(await remaining(adapter, { 'x-forwarded-for': '203.0.113.8' })).toBe(full);
    // The gateway counts a direct or wrongly signed call under the address of the connection.
    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-loyalty-client-address': '203.0.113.7' };
    expect(await remaining(gateway, forged)).toBe(full);
    expect(await remaining(gateway, { ...forged, 'x-forwarded-for': '203.0.113.9' })).toBe(full - 1);
    expect(await remaining(foreign, { 'x-forwarded-for': '203.0.113.8' })).toBe(full - 2);
    expect((await fetch(`${adapter.url}/metrics`)).status).toBe(401);
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    expect(await (await fetch(`${adapter.url}/metrics`, { headers })).text()).toContain(
      'operation="POST /api/v2/auth/login"',
    );
  } finally {
    await Promise.all([adapter.end(), foreign.end(), gateway.end()]);
  }
});
