import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { createHttpClient } from '@loyalty/platform/outbound/http-client';
import { askOf } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { sendPushJob } from './push.jobs.ts';
import { sendPush } from './push-sending.service.ts';
import { newBrowser, startPushService, vapidClaims } from './push-service.fixture.ts';
import { browsersOf, pushKeys, subscribe } from './push-subscriptions.service.ts';

const { services, beforeClose } = useServices();
const ask = askOf(engagement);

let service: Awaited<ReturnType<typeof startPushService>>;
let http: ReturnType<typeof createHttpClient>;
beforeAll(async () => {
  service = await startPushService();
  http = createHttpClient({ allow: [service.host] });
});
afterAll(() => service.close());
beforeClose(() => http.close());

let ctx: Context;
beforeEach(() => {
  ctx = at();
  service.pushes.length = 0;
});

/** The context of a caller whose HTTP client can reach the push service of this test. */
function at(caller = callerOf()): Context {
  const config = { ...services.config, OUTBOUND_ALLOW: [service.host] };
  return contextOf({ ...services, http, config }, caller);
}
const again = (change: object = {}) => at({ ...ctx.caller, ...change });

let browsers = 0;

/** Subscribes a browser of a member; returns it with its path at the push service. */
async function browserOf(memberId: string, session: object = {}) {
  browsers += 1;
  const path = `/b${browsers}`;
  const browser = newBrowser();
  const caller = { kind: 'MEMBER', actor: `member:${memberId}`, role: null, ...session } as const;
  await subscribe(again(caller), { endpoint: `${service.url}${path}`, keys: browser.keys });
  return { path, ...browser };
}

const newMember = () => newId(services.clock);
const batches = (context = ctx) =>
  context.sql.query<{ id: string; ids: string[] }>(
    `SELECT id, subscription_ids AS ids FROM engagement.push_batches
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" ORDER BY id`,
    [context.scope.workspaceId, context.scope.mode],
  );
const work = async () => {
  for (const { id } of await batches()) await sendPushJob.run(again(), { pushBatchId: id });
};
const notification = { title: 'Your points', body: 'You have 120.', url: 'https://shop.example.com/' };

describe('a notification', () => {
  test('reaches each browser of each member once, encrypted for it and signed by the workspace', async () => {
    const [ada, bo] = [newMember(), newMember()];
    const all = [await browserOf(ada), await browserOf(ada), await browserOf(bo)];
    await browserOf(newMember());
    const topical = { ...notification, topic: 'points', ttlSeconds: 600 };
    expect(await sendPush(ctx, { memberIds: [ada, bo], notification: topical })).toBe(3);
    expect(service.pushes).toEqual([]);
    await work();
    await work();
    expect(service.pushes).toHaveLength(3);
    const { publicKey } = await pushKeys(ctx);
    for (const { path, read } of all) {
      const { headers, body } = service.pushes.find((push) => push.path === path)!;
      expect(read(body)).toEqual({ ...notification, tag: 'points' });
      expect(headers).toMatchObject({ topic: 'points', ttl: '600', 'content-encoding': 'aes128gcm' });
      expect(vapidClaims(headers.authorization!, publicKey)).toMatchObject({ aud: service.url });
    }
    expect(await batches()).toEqual([]);
  });

  test('is queued with the transaction of who sends it, and its words are sealed', async () => {
    const ada = newMember();
    await browserOf(ada);
    const failing = ctx.transaction(async (tx) => {
      await sendPush(tx, { memberIds: [ada], notification });
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect([await batches(), await publishedEvents(ctx, 'engagement.push_requested')]).toEqual([[], []]);
    await sendPush(ctx, { memberIds: [ada], notification });
    const [batch] = await batches();
    expect(await publishedEvents(ctx, 'engagement.push_requested')).toEqual([{ pushBatchId: batch!.id }]);
    const rows = await ctx.sql.query('SELECT * FROM engagement.push_batches WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect(
      JSON.stringify(rows.map((row) => String((row as { content_sealed: Buffer }).content_sealed))),
    ).not.toContain('points');
  });

  test('goes to many browsers in batches of a hundred', async () => {
    const members = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const id = newMember();
        for (let each = 0; each < 10; each += 1) await browserOf(id);
        return id;
      }),
    );
    expect(await sendPush(ctx, { memberIds: members, notification })).toBe(150);
    expect((await batches()).map(({ ids }) => ids.length).toSorted()).toEqual([100, 50]);
    await work();
    expect(new Set(service.pushes.map(({ path }) => path)).size).toBe(150);
  });

  test('contacts nobody in test mode', async () => {
    const ada = newMember();
    await browserOf(ada, { mode: 'TEST' });
    const sandbox = again({ mode: 'TEST' });
    expect(await sendPush(sandbox, { memberIds: [ada], notification })).toBe(0);
    expect(await batches(sandbox)).toEqual([]);
  });

  test('does not reach browsers of another workspace or mode', async () => {
    const ada = newMember();
    await browserOf(ada);
    expect(await sendPush(at(), { memberIds: [ada], notification })).toBe(0);
    expect(await sendPush(again({ mode: 'TEST' }), { memberIds: [ada], notification })).toBe(0);
  });
});

describe('a browser', () => {
  test.each([404, 410])(
    'that the push service answers %i for is deleted, the others remain',
    async (status) => {
      const ada = newMember();
      const [gone, stays] = [await browserOf(ada), await browserOf(ada)];
      service.answer(gone.path, status);
      await sendPush(ctx, { memberIds: [ada], notification });
      await work();
      expect(await browsersOf(ctx, [ada])).toHaveLength(1);
      await sendPush(again(), { memberIds: [ada], notification });
      await work();
      expect(service.pushes.map(({ path }) => path).toSorted()).toEqual(
        [gone.path, stays.path, stays.path].toSorted(),
      );
    },
  );

  test.each([429, 500, 503])(
    'that gets a %i is tried again, without those that have it already',
    async (status) => {
      const ada = newMember();
      const [busy, fine] = [await browserOf(ada), await browserOf(ada)];
      service.answer(busy.path, status);
      await sendPush(ctx, { memberIds: [ada], notification });
      await expect(work()).rejects.toMatchObject({ code: 'PUSH_SERVICE_UNAVAILABLE' });
      service.answer(busy.path, 201);
      await work();
      expect(service.pushes.map(({ path }) => path).toSorted()).toEqual(
        [busy.path, busy.path, fine.path].toSorted(),
      );
      expect(await batches()).toEqual([]);
      expect(await browsersOf(ctx, [ada])).toHaveLength(2);
    },
  );

  test('that a push service refuses is left alone: it is neither tried again nor deleted', async () => {
    const ada = newMember();
    const refused = await browserOf(ada);
    service.answer(refused.path, 400);
    await sendPush(ctx, { memberIds: [ada], notification });
    await work();
    expect([await batches(), service.pushes.length]).toEqual([[], 1]);
    expect(await browsersOf(ctx, [ada])).toHaveLength(1);
  });

  test('whose time is over, or that was tried too often, is given up', async () => {
    const ada = newMember();
    const busy = await browserOf(ada);
    service.answer(busy.path, 503);
    await sendPush(ctx, { memberIds: [ada], notification: { ...notification, ttlSeconds: 60 } });
    services.clock.advance(60_000);
    await work();
    expect([await batches(), service.pushes.length]).toEqual([[], 0]);
    await sendPush(again(), { memberIds: [ada], notification });
    const [batch] = await batches();
    await sendPushJob.onExhausted!(again(), { pushBatchId: batch!.id }, 'busy');
    expect(await batches()).toEqual([]);
  });
});

describe('a test notification', () => {
  const SEND = 'mutation ($id: ID!) { sendTestPush(memberId: $id) { browsers } }';
  const enrol = async () => {
    const query = 'mutation { createMember(input: {email: "ada@example.com"}) { id } }';
    const { createMember } = await askPeer(ctx, 'loyalty', query);
    return (createMember as { id: string }).id;
  };

  test('is sent by an admin to all browsers of a member', async () => {
    const ada = await enrol();
    const browser = await browserOf(ada);
    expect((await ask(again(), SEND, { id: ada })).data).toEqual({ sendTestPush: { browsers: 1 } });
    await work();
    expect(browser.read(service.pushes[0]!.body)).toMatchObject({ title: 'Test notification', tag: 'test' });
  });

  test('is refused for unknown members, while the module is off, and to others than admins', async () => {
    const ada = await enrol();
    expect((await ask(at(), SEND, { id: ada })).reason).toBe('MEMBER_NOT_FOUND');
    expect((await ask(again({ modules: [] }), SEND, { id: ada })).reason).toBe('MODULE_DISABLED');
    expect((await ask(again({ role: 'MEMBER' }), SEND, { id: ada })).reason).toBe('ROLE_REQUIRED');
  });
});
