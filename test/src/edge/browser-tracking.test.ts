import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { watch } from '../harness/watch.ts';

const shop = 'https://shop.example.com';
const stack = useStack();
let token: string;
let key: { id: string; secret: string };
let restricted: { id: string; secret: string };
beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'tracking');
  key = await publishable();
  restricted = await publishable({ origins: [shop] });
});

async function publishable(input: object = {}): Promise<{ id: string; secret: string }> {
  const { data } = await stack.graph<{ createPublishableKey: { secret: string; apiKey: { id: string } } }>(
    `mutation ($input: CreatePublishableKeyInput!) {
      createPublishableKey(input: $input) { secret apiKey { id kind origins scopes } } }`,
    { input: { name: 'website', ...input } },
    token,
  );
  const { secret, apiKey } = data.createPublishableKey;
  return { secret, id: apiKey.id };
}

/** Sends a request as a browser does. */
async function send(body: object | string, { path = '/t', origin = shop, type = 'text/plain' } = {}) {
  const answer = await fetch(stack.url + path, {
    method: 'POST',
    headers: { origin, 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
}

const events = [{ event: 'page_view', anonymousId: 'v-1' }];
const ok = { accepted: 1, duplicates: 0, rejected: [] };

describe('the address for browsers', () => {
  test('takes a text or JSON, with the key in the query or in the body', async () => {
    for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/json']) {
      expect(await send({ key: key.secret, events }, { type })).toMatchObject({ status: 202, body: ok });
      expect(await send({ events }, { type, path: `/t?key=${key.secret}` })).toMatchObject({ status: 202 });
    }
  });

  test('takes the time of an event as its age, and refuses what is no list of events', async () => {
    const path = `/t?key=${key.secret}`;
    const aged = await send({ events: [{ event: 'aged', ago: 60_000 }] }, { path });
    expect(aged).toMatchObject({ status: 202, body: ok });
    const [row] = await stack.services.database.sql.query<{ ms: number }>(
      `SELECT extract(epoch FROM received_at - occurred_at)::float8 * 1000 AS ms
         FROM engagement.tracking_events WHERE event = 'aged'`,
    );
    expect(row!.ms).toBe(60_000);
    for (const body of ['', 'null', '{"events":1}', '{'])
      expect(await send(body, { path })).toMatchObject({ status: 400 });
    expect(await send({ events: [{ event: 'x', colour: 'red' }] }, { path })).toMatchObject({ status: 400 });
  });

  test('answers every website, or only those of the key', async () => {
    const other = 'https://elsewhere.example.com';
    const answers = [
      await send({ events }, { path: `/t?key=${key.secret}`, origin: other }),
      await send({ events }, { path: `/t?key=${restricted.secret}` }),
    ];
    expect(
      answers.map(({ status, headers }) => [status, headers.get('access-control-allow-origin')]),
    ).toEqual([
      [202, other],
      [202, shop],
    ]);
    const refused = await send({ events }, { path: `/t?key=${restricted.secret}`, origin: other });
    expect(refused).toMatchObject({ status: 403, body: { error: 'The key is not for this website.' } });
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('answers a preflight there and nowhere else', async () => {
    const preflight = async (path: string, origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const answer = await stack.rest('OPTIONS', path, { headers });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    expect(await preflight(`/t?key=${restricted.secret}`, shop)).toEqual([204, shop]);
    expect(await preflight(`/t?key=${restricted.secret}`, 'https://x.example.com')).toEqual([403, null]);
    expect(await preflight('/t', shop)).toEqual([204, shop]);
    for (const path of ['/api/v2/tracking/events', '/graphql', '/api/v2/members'])
      expect((await preflight(path, shop))[1]).toBeNull();
  });

  test('refuses a missing or unknown key, and one that is for servers', async () => {
    const secret = (await stack.key(token)).secret;
    for (const path of ['/t', '/t?key=pk_live_nothing', `/t?key=${secret}`])
      expect([path, (await send({ events }, { path })).status]).toEqual([path, 401]);
  });

  test('records the events of a signed-in member with the session’s token', async () => {
    const { secret } = await stack.key(token);
    const { body: member } = await stack.rest('POST', '/api/v2/members', {
      as: secret,
      body: { email: 'visitor@example.com', fullName: 'Vi Sitor' },
    });
    const { data } = await stack.graph<{ startMemberSession: { token: string } }>(
      'mutation ($memberId: ID!) { startMemberSession(memberId: $memberId) { token } }',
      { memberId: member.id },
      secret,
    );
    const path = `/t?key=${key.secret}`;
    await send({ events: [{ event: 'early', anonymousId: 'v-2' }] }, { path });
    const named = [{ event: 'login', anonymousId: 'v-2' }];
    expect(await send({ token: data.startMemberSession.token, events: named }, { path })).toMatchObject({
      status: 202,
      body: ok,
    });
    const rows = await stack.services.database.sql.query(
      'SELECT DISTINCT member_id FROM engagement.tracking_events WHERE anonymous_id = $1',
      ['v-2'],
    );
    expect(rows).toEqual([{ memberId: member.id }]);
    const foreign = await stack.signUp();
    for (const wrong of ['nonsense', token, foreign.token])
      expect((await send({ token: wrong, events: named }, { path })).status).toBe(401);
    const claimed = await send({ events: [{ event: 'x', memberId: member.id }] }, { path });
    expect(claimed.body.rejected).toEqual([{ index: 0, error: 'memberId needs the session of the member.' }]);
  });
});

describe('a publishable key', () => {
  test('does nothing else: every other call is refused', async () => {
    const calls = [
      ['GET', '/api/v2/members'],
      ['GET', '/api/v2/tracking/stats'],
      ['GET', '/api/v2/api-keys'],
      ['GET', '/api/v2/stores'],
    ] as const;
    for (const [method, path] of calls) {
      const answer = await stack.rest(method, path, { as: key.secret });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    for (const query of ['{ viewer { kind } }', '{ __schema { types { name } } }', '{ workspace { name } }'])
      expect((await stack.graph(query, {}, key.secret)).errors?.[0]).toMatchObject({
        extensions: { code: 'FORBIDDEN' },
      });
    const credential = key.secret;
    const sent = await stack.rest('POST', '/api/v2/tracking/events', { as: credential, body: { events } });
    expect(sent).toMatchObject({ status: 202, body: ok });
  });

  test('is listed with its kind, and ends at once when it is revoked', async () => {
    const { id, secret } = await publishable();
    const listed = await stack.rest('GET', '/api/v2/api-keys', { as: token });
    expect(listed.body.keys.find((each: { id: string }) => each.id === id)).toMatchObject({
      kind: 'publishable',
      scopes: ['tracking:write'],
      prefix: expect.stringMatching(/^pk_live_/),
    });
    expect((await send({ key: secret, events })).status).toBe(202);
    await stack.rest('DELETE', `/api/v2/api-keys/${id}`, { as: token });
    expect((await send({ key: secret, events })).status).toBe(401);
  });

  test('has its own limit for each address', async () => {
    const { secret } = await publishable();
    const statuses = new Set<number>();
    for (let batch = 0; batch < 31; batch += 1) {
      const answers = Array.from({ length: 20 }, () => send({ key: secret, events: [] }));
      for (const { status } of await Promise.all(answers)) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([400, 429]));
    expect((await send({ key: key.secret, events })).status).toBe(202);
  });
});

test('events are judged one by one over REST, those of a wrong type too', async () => {
  const credential = (await stack.key(token, ['tracking:write', 'metrics:read'])).secret;
  const body = {
    events: [
      { event: 'view', occurredAt: 'yesterday' },
      { event: 'rest.ok', anonymousId: 'r' },
      { event: 'view', memberId: 'nobody' },
      { event: 'Bad' },
      { event: 'view', colour: 'red' },
    ],
  };
  const answer = await stack.rest('POST', '/api/v2/tracking/events', { as: credential, body });
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(answer.body.rejected.map(({ index }: { index: number }) => index)).toEqual([0, 2, 3, 4]);
  expect(answer.body.rejected[0].error).toMatch(/^occurredAt must be an instant/);
  const none = await stack.rest('POST', '/api/v2/tracking/events', {
    as: credential,
    body: { events: [{ event: 1 }] },
  });
  expect(none).toMatchObject({ status: 202, body: { accepted: 0, rejected: [{ index: 0 }] } });
  const stats = await stack.rest('GET', '/api/v2/tracking/stats?event=rest.ok&groupBy=day', {
    as: credential,
  });
  expect(stats.body.events).toEqual([{ event: 'rest.ok', count: 1, unique_members: 0 }]);
  expect(stats.body.series).toHaveLength(30);
});

test('a watcher sees events as they are received, and needs the scope for it', async () => {
  const query = 'subscription { trackingEvent(event: "watched") { event properties skipped } }';
  const other = await watch(stack.url, { query }, (await stack.key(token, ['metrics:read'])).secret);
  const watcher = await watch(stack.url, { query }, (await stack.key(token, ['tracking:read'])).secret);
  await eventually(async () => {
    stack.services.clock.advance(1);
    await send({ key: key.secret, events: [{ event: 'watched', properties: { a: 1 } }] });
    expect(watcher.results.length).toBeGreaterThan(0);
  });
  expect(watcher.results[0]).toMatchObject({
    data: { trackingEvent: { event: 'watched', properties: { a: 1 } } },
  });
  expect(other.results).toEqual([]);
  await Promise.all([watcher.stop(), other.stop()]);
});

test('the script is small, is kept by browsers and answered with 304 when it is unchanged', async () => {
  const first = await fetch(`${stack.url}/t.js`);
  const script = await first.text();
  expect(Buffer.byteLength(script)).toBeLessThan(2_000);
  expect(() => new Function(script)).not.toThrow();
  expect(first.headers.get('cache-control')).toMatch(/^public, max-age=86400/);
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const etag = first.headers.get('etag')!;
  const second = await fetch(`${stack.url}/t.js`, { headers: { 'if-none-match': etag } });
  expect([second.status, await second.text()]).toEqual([304, '']);
});
