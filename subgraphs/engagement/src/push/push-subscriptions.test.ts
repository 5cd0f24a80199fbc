import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { memberData } from '../member-data/member-data.service.ts';
import { engagement } from '../subgraph.ts';
import { eraseBrowsersJob } from './push.jobs.ts';
import { newBrowser } from './push-service.fixture.ts';
import { browsersOf, findBrowsers, pushKeys } from './push-subscriptions.service.ts';

const { services, ctx, fresh } = useServices();
const ask = askOf(engagement);

const SUBSCRIBE = `mutation ($endpoint: String!, $keys: WebPushKeysInput!) {
  subscribeWebPush(endpoint: $endpoint, keys: $keys) { isDone } }`;
const UNSUBSCRIBE = 'mutation ($endpoint: String!) { unsubscribeWebPush(endpoint: $endpoint) { isDone } }';
const STATE = '{ webPush { isEnabled publicKey } }';

/** A member of the test's workspace, with a function that opens a session. */
function member(more: object = {}): { id: string; session: () => Context } {
  const id = newId(services.clock);
  const caller = { kind: 'MEMBER', actor: `member:${id}`, role: null, scopes: [], ...more } as const;
  return { id, session: () => fresh({ modules: ['web_push'], ...caller }) };
}

const endpointOf = (name: string) => `https://push.example.net/${name}`;
const newEndpoint = () => endpointOf(randomBytes(9).toString('base64url'));
const register = (session: Context, endpoint = newEndpoint(), keys = newBrowser().keys) =>
  ask(session, SUBSCRIBE, { endpoint, keys });
const endpointsOf = async (memberId: string, at = ctx) =>
  (await findBrowsers(at, await browsersOf(at, [memberId]))).map(({ endpoint }) => endpoint);

describe('a browser', () => {
  test('is registered once, its address and keys sealed, with the keys that it sent last', async () => {
    const ada = member();
    const [first, last] = [newBrowser(), newBrowser()];
    await register(ada.session(), endpointOf('one'), first.keys);
    const { data } = await register(ada.session(), endpointOf('one'), last.keys);
    expect(data).toEqual({ subscribeWebPush: { isDone: true } });
    const found = await findBrowsers(ctx, await browsersOf(ctx, [ada.id]));
    expect(found).toMatchObject([{ endpoint: endpointOf('one'), keys: last.keys }]);
    const rows = await ctx.sql.query('SELECT * FROM engagement.push_subscriptions WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    const stored = JSON.stringify(rows);
    for (const hidden of ['push.example', last.keys.auth, last.keys.p256dh])
      expect(stored).not.toContain(hidden);
  });

  test('moves to the member who registers it last', async () => {
    const [ada, bo] = [member(), member()];
    await register(ada.session(), endpointOf('shared'));
    await register(bo.session(), endpointOf('shared'));
    expect([await endpointsOf(ada.id), await endpointsOf(bo.id)]).toEqual([[], [endpointOf('shared')]]);
  });

  test('is removed by its member only, and removing it again is no error', async () => {
    const [ada, bo] = [member(), member()];
    await register(ada.session(), endpointOf('mine'));
    const remove = (session: Context) => ask(session, UNSUBSCRIBE, { endpoint: endpointOf('mine') });
    expect((await remove(bo.session())).data).toEqual({ unsubscribeWebPush: { isDone: true } });
    expect(await endpointsOf(ada.id)).toHaveLength(1);
    for (let time = 0; time < 2; time += 1) {
      expect((await remove(ada.session())).data).toEqual({ unsubscribeWebPush: { isDone: true } });
    }
    expect(await endpointsOf(ada.id)).toEqual([]);
  });

  test('of the other mode is another one', async () => {
    const [ada, sandbox] = [member(), member({ mode: 'TEST' })];
    await register(ada.session(), endpointOf('both'));
    await register(sandbox.session(), endpointOf('both'));
    expect(await endpointsOf(ada.id)).toHaveLength(1);
    expect(await endpointsOf(sandbox.id, fresh({ mode: 'TEST' }))).toHaveLength(1);
    expect(await endpointsOf(ada.id, fresh({ mode: 'TEST' }))).toEqual([]);
  });

  test('is one of at most 20: the oldest goes, also when several come at the same time', async () => {
    const ada = member();
    const names = Array.from({ length: 20 }, (_, place) => endpointOf(`b${place}`));
    for (const name of names) {
      services.clock.advance(1_000);
      await register(ada.session(), name);
    }
    services.clock.advance(1_000);
    await Promise.all(['x', 'y', 'z'].map((name) => register(ada.session(), endpointOf(name))));
    const left = await endpointsOf(ada.id);
    expect(left).toHaveLength(20);
    expect(left).toEqual(expect.arrayContaining([...names.slice(3), endpointOf('x'), endpointOf('z')]));
  });

  test('goes with its erased member, and an export counts it', async () => {
    const [ada, bo] = [member(), member()];
    for (const { session } of [ada, ada, bo]) await register(session());
    expect(await memberData(ctx, ada.id)).toMatchObject({ pushBrowsers: 2 });
    await eraseBrowsersJob.run(ctx, { memberId: ada.id });
    expect([await endpointsOf(ada.id), await endpointsOf(bo.id)]).toMatchObject([[], [expect.anything()]]);
  });
});

const { keys } = newBrowser();
const flipped = Buffer.from(keys.p256dh, 'base64url');
flipped[64]! ^= 1;

describe('it is refused and nothing is kept:', () => {
  test.each([
    ['plain http', { endpoint: 'http://push.example.net/x' }, 'endpoint'],
    ['an address of this machine', { endpoint: 'https://127.0.0.1/x' }, 'endpoint'],
    ['a private network', { endpoint: 'https://10.0.0.8/x' }, 'endpoint'],
    ['the metadata service', { endpoint: 'https://169.254.169.254/x' }, 'endpoint'],
    ['a local name', { endpoint: 'https://localhost/x' }, 'endpoint'],
    ['no address', { endpoint: 'push' }, 'endpoint'],
    ['a long address', { endpoint: `https://push.example.net/${'x'.repeat(2_000)}` }, 'endpoint'],
    ['a point beside the curve', { keys: { ...keys, p256dh: flipped.toString('base64url') } }, 'keys.p256dh'],
    ['a compressed point', { keys: { ...keys, p256dh: compressed(keys.p256dh) } }, 'keys.p256dh'],
    ['a short key', { keys: { ...keys, p256dh: keys.p256dh.slice(0, 80) } }, 'keys.p256dh'],
    ['no base64url', { keys: { ...keys, p256dh: `${keys.p256dh.slice(0, 86)}+` } }, 'keys.p256dh'],
    ['a short secret', { keys: { ...keys, auth: 'AAAA' } }, 'keys.auth'],
    ['a long secret', { keys: { ...keys, auth: `${keys.auth}AAAA` } }, 'keys.auth'],
  ])('%s', async (_, change, field) => {
    const ada = member();
    const answer = await ask(ada.session(), SUBSCRIBE, { endpoint: newEndpoint(), keys, ...change });
    expect([answer.code, answer.message]).toEqual([
      'BAD_USER_INPUT',
      expect.stringContaining(`${field} must`),
    ]);
    expect(await browsersOf(ctx, [ada.id])).toEqual([]);
  });

  test('while the module is off, and of anybody but a member', async () => {
    const off = member({ modules: [] });
    expect((await register(off.session())).reason).toBe('MODULE_DISABLED');
    expect((await register(fresh())).reason).toBe('CALLER_REFUSED');
    expect((await ask(fresh(), STATE)).reason).toBe('CALLER_REFUSED');
    // Registered browsers can still be deleted.
    expect((await ask(off.session(), UNSUBSCRIBE, { endpoint: 'x' })).data.unsubscribeWebPush.isDone).toBe(
      true,
    );
  });
});

function compressed(point: string): string {
  const bytes = Buffer.from(point, 'base64url');
  return Buffer.concat([Buffer.of(2 + (bytes[64]! & 1)), bytes.subarray(1, 33)]).toString('base64url');
}

describe('the key of a workspace', () => {
  test('is made once, whoever asks first, and belongs to no other workspace', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(member().session(), STATE)));
    const [publicKey, ...others] = new Set(answers.map(({ data }) => data.webPush.publicKey as string));
    expect(others).toEqual([]);
    expect(Buffer.from(publicKey!, 'base64url')).toHaveLength(65);
    expect((await pushKeys(ctx)).publicKey).toBe(publicKey);
    const { data } = await ask(fresh({ kind: 'MEMBER', workspaceId: newId(services.clock) }), STATE);
    expect(data.webPush.publicKey).not.toBe(publicKey);
  });

  test('is not given while the module is off, nor made', async () => {
    const { data } = await ask(member({ modules: [] }).session(), STATE);
    expect(data.webPush).toEqual({ isEnabled: false, publicKey: null });
    expect(
      await ctx.sql.query('SELECT 1 FROM engagement.push_keys WHERE workspace_id = $1', [
        ctx.scope.workspaceId,
      ]),
    ).toEqual([]);
  });
});
