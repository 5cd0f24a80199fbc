import { describe, expect, test } from '@jest/globals';
import { newBrowser } from '@loyalty/engagement-subgraph/push/push-service.fixture';
import { useStack } from '../../harness/stack.ts';

const stack = useStack();
const PATH = '/api/member/web-push';
const { keys } = newBrowser();
const endpoint = 'https://push.example.net/v1/abc';

/** A workspace with web push, its key, and the session of a member. */
async function programme({ isOn = true } = {}) {
  const { token } = await stack.signUp();
  if (isOn) await stack.enable(token, 'web_push');
  const { secret } = await stack.key(token);
  const { body } = await stack.rest('POST', '/api/v2/members', {
    as: secret,
    body: { email: 'a@example.com' },
  });
  const { data } = await stack.graph<{ startMemberSession: { token: string } }>(
    'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }',
    { id: body.id },
    secret,
  );
  return { secret, session: data.startMemberSession.token };
}

describe(PATH, () => {
  test('GET says whether web push is on, and the key to subscribe with', async () => {
    const { session } = await programme();
    const { status, body } = await stack.rest('GET', PATH, { as: session });
    expect([status, body]).toEqual([200, { data: { enabled: true, publicKey: expect.any(String) } }]);
    expect(Buffer.from(body.data.publicKey, 'base64url')).toHaveLength(65);
    const off = await programme({ isOn: false });
    expect((await stack.rest('GET', PATH, { as: off.session })).body).toEqual({
      data: { enabled: false, publicKey: null },
    });
  });

  test('POST and DELETE answer ok, as often as they are sent', async () => {
    const { session: as } = await programme();
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await stack.rest('POST', PATH, { as, body: { endpoint, keys } });
      expect([status, body]).toEqual([200, { data: { ok: true } }]);
    }
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await stack.rest('DELETE', PATH, { as, body: { endpoint } });
      expect([status, body]).toEqual([200, { data: { ok: true } }]);
    }
  });

  test.each([
    [{ keys }, 'endpoint'],
    [{ endpoint }, 'keys'],
    [{ endpoint, keys: { p256dh: keys.p256dh } }, 'keys.auth'],
    [{ endpoint, keys: { ...keys, auth: 'x' } }, 'keys.auth'],
    [{ endpoint, keys: { ...keys, p256dh: 'x' } }, 'keys.p256dh'],
    [{ endpoint: 'http://push.example.net/', keys }, 'endpoint'],
    [{ endpoint, keys, memberId: '00000000-0000-7000-8000-000000000000' }, 'memberId'],
  ])('POST %j is refused with 400 and names %s', async (body, field) => {
    const { session } = await programme();
    const { status, body: answer } = await stack.rest('POST', PATH, { as: session, body });
    expect([status, answer]).toEqual([400, { error: expect.stringContaining(field) }]);
  });

  test('is refused without the module, to keys, and without a credential', async () => {
    const [off, on] = [await programme({ isOn: false }), await programme()];
    const body = { endpoint, keys };
    expect((await stack.rest('POST', PATH, { as: off.session, body })).status).toBe(403);
    expect((await stack.rest('POST', PATH, { as: on.secret, body })).status).toBe(401);
    expect((await stack.rest('POST', PATH, { body })).status).toBe(401);
  });
});

test('the service worker may be loaded by sites of other origins', async () => {
  const { status, headers } = await stack.rest('GET', '/push-sw.js', {});
  expect([status, headers.get('content-type'), headers.get('cross-origin-resource-policy')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'cross-origin',
  ]);
});
