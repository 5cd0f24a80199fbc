import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, askOf } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { unsubscribe } from '../suppressions/suppressions.service.ts';
import { PLATFORM_PROVIDER_ID } from './email-providers.service.ts';
import { type FakeProvider, fakeProvider, reaching } from './providers.fixture.ts';

const { services, ctx, newContext } = useServices();

let fake: FakeProvider;
let reachable: ReturnType<typeof reaching<typeof services>>;
beforeAll(async () => {
  fake = await fakeProvider();
  reachable = reaching(services, [fake]);
});
afterAll(async () => {
  await reachable.close();
  await fake.close();
});
beforeEach(() => {
  fake.behaviour = 200;
  fake.received.length = 0;
});

const send = askOf(engagement);
async function ask(query: string, variables: object = {}, caller: object = {}): Promise<Answer> {
  return send(
    contextOf(reachable, { ...ctx.caller, ...caller }),
    query,
    variables as Record<string, unknown>,
  );
}

const FIELDS = `id name kind position isEnabled isTerminal fromAddress fromName noticeUrl hasNoticeKey
  config { endpoint region configurationSet authHeader authScheme toField fromField subjectField htmlField
    textField replyToField headersField }
  health { state failures pausedUntil lastSuccessAt lastFailureAt lastError }
  figures { attempts accepted rejected unavailable p50Ms p95Ms }`;
const LIST = `{ emailProviders { ${FIELDS} } }`;
const ADD = `mutation ($input: AddEmailProviderInput!) { addEmailProvider(input: $input) { ${FIELDS} } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateEmailProviderInput!) {
  updateEmailProvider(id: $id, input: $input) { ${FIELDS} } }`;
const REMOVE = 'mutation ($id: ID!) { removeEmailProvider(id: $id) }';
const REORDER = 'mutation ($ids: [ID!]!) { reorderEmailProviders(ids: $ids) { id position } }';
const TEST = `mutation ($id: ID!, $to: String!) { testEmailProvider(id: $id, to: $to) {
  outcome status error durationMs providerMessageId } }`;

const SECRET = 'sk_live_do_not_show_this';
const rest = (part: object = {}) => ({
  name: 'Own API',
  kind: 'CUSTOM_REST',
  fromAddress: 'Shop@Example.org',
  config: { endpoint: fake.url },
  secret: { apiKey: SECRET },
  ...part,
});
const added = async (part: object = {}): Promise<string> =>
  (await ask(ADD, { input: rest(part) })).data.addEmailProvider.id;
const idsOf = async () =>
  (await ask(LIST)).data.emailProviders.map(({ id }: { id: string }) => id) as string[];

describe('a workspace', () => {
  const platform = {
    id: PLATFORM_PROVIDER_ID,
    kind: 'PLATFORM',
    isTerminal: true,
    isEnabled: true,
    fromAddress: 'no-reply@loyalty.invalid',
    fromName: 'Loyalty Platform',
    noticeUrl: null,
    health: { state: 'CLOSED', failures: 0 },
  };

  test('sends through the platform until it adds a provider, which comes before it', async () => {
    expect((await ask(LIST)).data.emailProviders).toMatchObject([{ ...platform, position: 1 }]);
    await added();
    expect((await ask(LIST)).data.emailProviders).toMatchObject([
      { name: 'Own API' },
      { ...platform, position: 2 },
    ]);
  });

  test('sees of a provider that it added everything but the secret', async () => {
    const { data } = await ask(ADD, { input: rest({ fromName: 'Shop' }) });
    expect(data.addEmailProvider).toEqual({
      id: expect.any(String),
      name: 'Own API',
      kind: 'CUSTOM_REST',
      position: 1,
      isEnabled: true,
      isTerminal: false,
      fromAddress: 'shop@example.org',
      fromName: 'Shop',
      hasNoticeKey: false,
      noticeUrl: expect.stringMatching(
        `/api/email-notices/${ctx.scope.workspaceId}/${data.addEmailProvider.id}$`,
      ),
      config: {
        endpoint: `${fake.url}/`,
        region: null,
        configurationSet: null,
        authHeader: 'Authorization',
        authScheme: 'Bearer',
        toField: 'to',
        fromField: 'from',
        subjectField: 'subject',
        htmlField: 'html',
        textField: null,
        replyToField: null,
        headersField: null,
      },
      health: {
        state: 'CLOSED',
        failures: 0,
        pausedUntil: null,
        lastSuccessAt: null,
        lastFailureAt: null,
        lastError: null,
      },
      figures: { attempts: 0, accepted: 0, rejected: 0, unavailable: 0, p50Ms: null, p95Ms: null },
    });
  });

  test('sets the order, and removes a provider from it', async () => {
    const [one, two, three] = [await added(), await added(), await added()];
    expect((await ask(REORDER, { ids: [three, one, two] })).data.reorderEmailProviders).toEqual([
      { id: three, position: 1 },
      { id: one, position: 2 },
      { id: two, position: 3 },
      { id: PLATFORM_PROVIDER_ID, position: 4 },
    ]);
    expect((await ask(REMOVE, { id: one })).data).toEqual({ removeEmailProvider: one });
    const list = (await ask(LIST)).data.emailProviders as { id: string; position: number }[];
    expect(list.map(({ id, position }) => [id, position])).toEqual([
      [three, 1],
      [two, 2],
      [PLATFORM_PROVIDER_ID, 3],
    ]);
    expect((await ask(REORDER, { ids: [two, three, PLATFORM_PROVIDER_ID] })).code).toBeUndefined();
    expect(await idsOf()).toEqual([two, three, PLATFORM_PROVIDER_ID]);
  });

  test('cannot set an order that leaves one out, names one twice, or moves the last', async () => {
    const [one, two] = [await added(), await added()];
    for (const ids of [[one], [one, two, two], [one, one], [], [PLATFORM_PROVIDER_ID, one, two]])
      expect(await ask(REORDER, { ids })).toMatchObject({
        code: 'BAD_USER_INPUT',
        reason: 'VALIDATION_FAILED',
      });
    const unknown = [one, two, '0195a0de-0000-7000-8000-000000000001'];
    expect(await ask(REORDER, { ids: unknown })).toMatchObject({ reason: 'EMAIL_PROVIDER_NOT_FOUND' });
    expect(await idsOf()).toEqual([one, two, PLATFORM_PROVIDER_ID]);
  });

  test('has at most ten, though twelve are added at once, each at its own position', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(ADD, { input: rest() })));
    expect(answers.filter(({ reason }) => reason === 'TOO_MANY_PROVIDERS')).toHaveLength(2);
    const list = (await ask(LIST)).data.emailProviders as { position: number }[];
    expect(list.map(({ position }) => position)).toEqual(Array.from({ length: 11 }, (_, at) => at + 1));
  });

  test("cannot change, disable or remove the platform's provider", async () => {
    const terminal = { code: 'CONFLICT', reason: 'PROVIDER_IS_TERMINAL' };
    const id = PLATFORM_PROVIDER_ID;
    expect(await ask(UPDATE, { id, input: { isEnabled: false } })).toMatchObject(terminal);
    expect(await ask(REMOVE, { id })).toMatchObject(terminal);
    expect(await ask(ADD, { input: rest({ kind: 'PLATFORM' }) })).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('a secret', () => {
  test('is sealed, and in no answer, audit entry or error', async () => {
    const id = await added();
    fake.behaviour = 401;
    const answers = [
      await ask(UPDATE, { id, input: { name: 'Renamed', noticeKey: 'not a key' } }),
      await ask(UPDATE, { id, input: { secret: { apiKey: `${SECRET} 2` } } }),
      await ask(TEST, { id, to: 'ada@example.com' }),
      await ask(LIST),
    ];
    expect(answers.map(({ code }) => code)).toEqual([
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
      undefined,
      undefined,
    ]);
    const rows = await ctx.sql.query<{ row: string }>(
      `SELECT t::text || encode(t.secret_sealed, 'escape') AS row FROM engagement.email_providers t
        WHERE workspace_id = $1
        UNION ALL SELECT t::text FROM platform.audit_entries t WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    expect(rows).toHaveLength(3);
    expect(JSON.stringify([answers, rows])).not.toMatch(/do_not_show|not a key/);
  });

  test('stays when it is not given, and must be given again when the endpoint changes', async () => {
    const id = await added();
    await ask(UPDATE, { id, input: { name: 'Renamed', config: { authScheme: '' } } });
    await ask(TEST, { id, to: 'ada@example.com' });
    expect(fake.received[0]?.headers['authorization']).toBe(SECRET);
    const config = { endpoint: `${fake.url}/elsewhere` };
    expect(await ask(UPDATE, { id, input: { config } })).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'input.secret must be given again, because the endpoint changes.',
    });
    await ask(UPDATE, { id, input: { config, secret: { apiKey: 'another' } } });
    await ask(TEST, { id, to: 'ada@example.com' });
    expect(fake.received[1]).toMatchObject({ path: '/elsewhere', headers: { authorization: 'another' } });
  });
});

describe('a test mail', () => {
  test('goes through this provider alone, and its answer says how it went', async () => {
    const id = await added();
    await ask(UPDATE, { id, input: { isEnabled: false } });
    expect((await ask(TEST, { id, to: 'ada@example.com' })).data.testEmailProvider).toEqual({
      outcome: 'ACCEPTED',
      status: 200,
      error: null,
      durationMs: expect.any(Number),
      providerMessageId: 'p-1',
    });
    fake.behaviour = 403;
    expect((await ask(TEST, { id, to: 'ada@example.com' })).data.testEmailProvider).toMatchObject({
      outcome: 'CREDENTIALS',
      status: 403,
      error: '127.0.0.1 answered 403: it refused the credentials.',
    });
    const [provider] = (await ask(LIST)).data.emailProviders;
    expect(provider.health).toMatchObject({ failures: 1, lastError: expect.stringContaining('403') });
    const platform = await ask(TEST, { id: PLATFORM_PROVIDER_ID, to: 'ada@example.com' });
    expect(platform.data.testEmailProvider).toMatchObject({ outcome: 'ACCEPTED', status: null });
  });

  test('does not go to an address that unsubscribed', async () => {
    const id = await added();
    await unsubscribe(ctx, 'ada@example.com');
    const answer = await ask(TEST, { id, to: 'ada@example.com' });
    expect(answer).toMatchObject({ code: 'CONFLICT', reason: 'ADDRESS_SUPPRESSED' });
    expect(fake.received).toEqual([]);
  });
});

describe('another caller', () => {
  test.each([
    ['a key with every scope', { kind: 'KEY', role: null }, 'CALLER_REFUSED'],
    ['a user who is no admin', { role: 'MEMBER' }, 'ROLE_REQUIRED'],
    ['test mode', { mode: 'TEST' }, 'LIVE_ONLY'],
  ])('%s changes nothing', async (_, caller, reason) => {
    const id = await added();
    for (const [query, variables] of [
      [ADD, { input: rest() }],
      [UPDATE, { id, input: { name: 'x' } }],
      [REMOVE, { id }],
      [REORDER, { ids: [id] }],
      [TEST, { id, to: 'ada@example.com' }],
    ] as const)
      expect((await ask(query, variables, caller)).reason).toBe(reason);
    expect(fake.received).toEqual([]);
  });

  test('of another workspace finds nothing', async () => {
    const id = await added();
    const { caller } = newContext();
    for (const [query, variables] of [
      [UPDATE, { id, input: { name: 'x' } }],
      [REMOVE, { id }],
      [REORDER, { ids: [id] }],
      [TEST, { id, to: 'ada@example.com' }],
    ] as const)
      expect((await ask(query, variables, caller)).reason).toBe('EMAIL_PROVIDER_NOT_FOUND');
    expect((await ask(LIST, {}, caller)).data.emailProviders).toHaveLength(1);
  });
});
