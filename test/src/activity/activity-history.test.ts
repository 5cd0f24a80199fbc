import { describe, expect, test } from '@jest/globals';
import { eraseDueMembers } from '@loyalty/loyalty-subgraph/member-status/member-status.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { v2Scopes } from '@loyalty/workspace-subgraph/access/scopes';
import { refusalOf } from '../access/refused.ts';
import { eventually } from '../harness/eventually.ts';
import { fewestStatements } from '../harness/fewest-statements.ts';
import { contextOf } from '../harness/services.ts';
import { useStack } from '../harness/stack.ts';
import { watch } from '../harness/watch.ts';

const stack = useStack();

const ENTRY = `id kind occurredAt points consentPurpose isGranted changedFields leftOut
  member { id status } order { id externalOrderId } receipt { id status } pointsTransaction { id amount }
  tier { name } previousTier { name } coupon { id status } store { name } tag { key }
  actor apiKey { name } segment { name } journey { name }`;
const PAGE = `totalCount nodes { ${ENTRY} } pageInfo { hasNextPage endCursor }`;
const LIST = `query ($first: Int, $after: String, $kinds: [ActivityKind!]) {
  list: activity(first: $first, after: $after, kinds: $kinds) { ${PAGE} } }`;
const OF_MEMBER = `query ($id: ID!, $first: Int, $kinds: [ActivityKind!]) {
  member(id: $id) { list: activity(first: $first, kinds: $kinds) { ${PAGE} } } }`;

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly member: { readonly id: string } | null;
}
interface List {
  readonly totalCount: number;
  readonly nodes: readonly Entry[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Makes a workspace and returns helpers that change it and that read its history. */
async function programme() {
  await stack.work();
  const { token, workspaceId } = await stack.signUp();
  for (const module of ['receipts', 'ambassador']) await stack.enable(token, module);
  const act = async <Answer>(mutation: string, credential = token): Promise<Answer> => {
    const { data, errors } = await stack.graph<{ act: Answer }>(
      `mutation { act: ${mutation} }`,
      {},
      credential,
    );
    if (errors) throw new Error(`${mutation}: ${JSON.stringify(errors)}`);
    return data.act;
  };
  const { id: keyId, secret } = await stack.key(token, v2Scopes);
  const list = async (variables: object = {}, credential = secret) => {
    const { data, errors } = await stack.graph<{ list: List }>(LIST, { ...variables }, credential);
    if (errors) throw new Error(JSON.stringify(errors));
    return data.list;
  };
  const ofMember = async (id: string, variables: object = {}) => {
    const { data, errors } = await stack.graph<{ member: { list: List } | null }>(
      OF_MEMBER,
      { id, ...variables },
      secret,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.member?.list;
  };
  let members = 0;
  const join = async () => {
    members += 1;
    const input = `{ email: "m${members}@example.com" }`;
    return (await act<{ id: string }>(`createMember(input: ${input}) { id }`, secret)).id;
  };
  return { token, workspaceId, keyId, secret, act, list, ofMember, join };
}
type Programme = Awaited<ReturnType<typeof programme>>;

let orders = 0;

async function order({ act, secret }: Programme, memberId: string | null) {
  orders += 1;
  const buyer = memberId ? `memberId: "${memberId}",` : '';
  return act<{ id: string }>(
    `createOrder(input: {externalOrderId: "h${orders}", ${buyer} currency: "EUR", total: 10000,
      occurredAt: "2026-01-01T00:00:00Z"}) { id }`,
    secret,
  );
}

/** Performs acts in loyalty and commerce that make 14 entries. */
async function live(made: Programme, memberId: string): Promise<void> {
  const { act, secret } = made;
  await act('createEarningRule(input: {kind: BASE, name: "Base", rate: 1}) { id }');
  await act('createTier(input: {name: "Bronze", rank: 1, upgradeThreshold: 0}) { id }');
  await act('createTier(input: {name: "Gold", rank: 2, upgradeThreshold: 100}) { id }');
  const store = await act<{ id: string }>('createStore(input: {name: "Ribeira", address: "Cais 12"}) { id }');
  const pool = await act<{ id: string }>(
    'createCouponPool(input: {name: "Thanks", couponType: FIXED, discountDisplay: "5"}) { id }',
  );
  await act(`generateCoupons(poolId: "${pool.id}", count: 3) { id }`);
  await act(`awardPoints(memberId: "${memberId}", input: {amount: 120}) { id }`, secret);
  await act(`tagMember(memberId: "${memberId}", key: "vip") { id }`, secret);
  await act(`setMemberConsent(memberId: "${memberId}", purpose: PROFILING, granted: true) { id }`, secret);
  await act(`recordStoreVisit(memberId: "${memberId}", storeId: "${store.id}") { isNew }`, secret);
  await act(
    `redeemPointsForCoupon(memberId: "${memberId}", poolId: "${pool.id}", pointsCost: 10) { coupon { id } }`,
    secret,
  );
  await order(made, memberId);
  await order(made, null);
}

const ids = (nodes: readonly Entry[]) => nodes.map(({ id }) => id);

describe('history', () => {
  test('has the entries that were sent live, with the same fields, newest first', async () => {
    const made = await programme();
    const memberId = await made.join();
    const query = `subscription ($id: ID!) { entry: memberActivity(memberId: $id) { ${ENTRY} } }`;
    const watched = await watch(stack.url, { query, variables: { id: memberId } }, made.secret);
    const everything = await watch(
      stack.url,
      { query: `subscription { entry: workspaceActivity { ${ENTRY} } }` },
      made.secret,
    );
    const sent = ({ results }: typeof watched) =>
      (results as { data: { entry: Entry } }[]).map(({ data }) => data.entry);
    await eventually(async () => {
      await made.act(`updateMember(id: "${memberId}", input: {locale: "pt-PT"}) { id }`, made.secret);
      await made.act(`updateMember(id: "${memberId}", input: {locale: "en-GB"}) { id }`, made.secret);
      for (const each of [watched, everything]) expect(each.results.length).toBeGreaterThan(0);
    });
    await live(made, memberId);
    const kinds = ['POINTS_AWARDED', 'TIER_UPGRADED', 'MEMBER_TAGGED', 'CONSENT_CHANGED', 'STORE_VISITED'];
    const all = [...kinds, 'POINTS_REDEEMED', 'COUPON_ISSUED', 'ORDER_CREATED'];
    // A job books the points of the order.
    await eventually(async () => {
      const { nodes } = (await made.ofMember(memberId, { first: 50 }))!;
      expect(nodes.filter(({ kind }) => kind === 'POINTS_AWARDED')).toHaveLength(2);
      expect(nodes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(all));
    });
    const [history, lists] = [(await made.ofMember(memberId, { first: 50 }))!, await made.list()];
    await eventually(() => expect(sent(everything)).toEqual(expect.arrayContaining([lists.nodes[0]])));
    expect(ids(history.nodes)).toEqual(ids(history.nodes).toSorted().reverse());
    expect(history.totalCount).toBe(history.nodes.length);
    const byId = new Map(history.nodes.map((entry) => [entry.id, entry]));
    const steady = ({ kind }: Entry) => kind !== 'MEMBER_UPDATED';
    for (const entry of sent(watched).filter(steady)) expect(byId.get(entry.id)).toEqual(entry);
    for (const kind of all) expect(sent(watched).map((entry) => entry.kind)).toContain(kind);
    // The list of the workspace also has the order of a guest.
    const own = lists.nodes.filter(({ member }) => member?.id === memberId);
    expect(own).toEqual(history.nodes);
    expect(lists.nodes.filter(({ member }) => member === null)).toMatchObject([
      { kind: 'ORDER_CREATED', order: { externalOrderId: `h${orders}` } },
    ]);
    await Promise.all([watched.stop(), everything.stop()]);
  });

  test('is filtered by kind and read by cursor, for the workspace and for a member', async () => {
    const made = await programme();
    const [ada, bo] = [await made.join(), await made.join()];
    for (const member of [ada, bo, ada]) await order(made, member);
    await eventually(async () => expect((await made.list()).totalCount).toBe(5));
    const kinds = ['ORDER_CREATED', 'MEMBER_CREATED'];
    const [first, orderKinds] = [await made.list({ kinds, first: 2 }), { kinds: ['ORDER_CREATED'] }];
    expect(first.nodes.map(({ kind }) => kind)).toEqual(['ORDER_CREATED', 'ORDER_CREATED']);
    const rest = await made.list({ kinds, first: 9, after: first.pageInfo.endCursor });
    expect(rest.nodes.map(({ member }) => member?.id)).toEqual([ada, bo, ada]);
    expect((await made.list(orderKinds)).totalCount).toBe(3);
    expect(await made.ofMember(ada, orderKinds)).toMatchObject({ totalCount: 2, nodes: [{}, {}] });
    expect((await made.list({ kinds: [] })).nodes).toEqual([]);
  });

  test('shows one workspace and one mode', async () => {
    const [made, foreign] = [await programme(), await programme()];
    const memberId = await made.join();
    const { secret: sandbox } = await stack.key(made.token, v2Scopes, 'TEST');
    await eventually(async () => expect((await made.list()).totalCount).toBe(1));
    for (const credential of [sandbox, foreign.secret]) {
      expect(await made.list({}, credential)).toMatchObject({ totalCount: 0, nodes: [] });
    }
    expect(await foreign.ofMember(memberId)).toBeUndefined();
  });

  test('costs as many statements for fifty entries with all their references as for five', async () => {
    const made = await programme();
    const memberId = await made.join();
    await live(made, memberId);
    for (let each = 0; each < 45; each += 1) {
      const kind = each % 2 ? 'tagMember' : 'untagMember';
      await made.act(`${kind}(memberId: "${memberId}", key: "vip") { id }`, made.secret);
    }
    await eventually(async () => expect((await made.list()).totalCount).toBeGreaterThan(55));
    const cost = async (first: number) =>
      (await fewestStatements(stack, () => made.list({ first }))).statements;
    const ofOne = async (first: number) =>
      (await fewestStatements(stack, () => made.ofMember(memberId, { first }))).statements;
    // The ten oldest entries have every kind of reference that an entry can have.
    const [all, small] = [await cost(200), await cost(5)];
    expect(all - small).toBeLessThanOrEqual(6);
    expect(await cost(60)).toBe(all);
    expect(await ofOne(60)).toBe(await ofOne(200));
  });
});

describe('the actor of an entry', () => {
  const ACTORS = '{ list: activity { nodes { kind actor user { name } apiKey { id name } } } }';
  interface Acted {
    readonly list: { readonly nodes: readonly { readonly kind: string; readonly actor: string | null }[] };
  }

  test('is a key, a person or the product itself, also where points follow from an order', async () => {
    const made = await programme();
    const memberId = await made.join();
    await made.act('createEarningRule(input: {kind: BASE, name: "Base", rate: 1}) { id }');
    await made.act(`adjustPoints(memberId: "${memberId}", amount: 5, reason: "x") { id }`);
    await order(made, memberId);
    await eventually(async () => expect((await made.list()).totalCount).toBe(4));
    const { data } = await stack.graph<Acted>(ACTORS, {}, made.token);
    const apiKey = { id: made.keyId, name: 'test' };
    expect(Object.fromEntries(data.list.nodes.map(({ kind, ...who }) => [kind, who]))).toEqual({
      MEMBER_CREATED: { actor: `key:${made.keyId}`, user: null, apiKey },
      POINTS_ADJUSTED: { actor: expect.stringMatching(/^user:/), user: { name: 'Ada Owner' }, apiKey: null },
      ORDER_CREATED: { actor: `key:${made.keyId}`, user: null, apiKey },
      POINTS_AWARDED: { actor: expect.stringMatching(/^system:/), user: null, apiKey: null },
    });
  });

  test('has no name from another workspace, and the name of a key is shown only to those who manage keys', async () => {
    const [made, foreign] = [await programme(), await programme()];
    await made.join();
    await eventually(async () => expect((await made.list()).totalCount).toBe(1));
    const { data: own } = await stack.graph<{ viewer: { user: { id: string } } }>(
      '{ viewer { user { id } } }',
      {},
      foreign.token,
    );
    for (const actor of [`user:${own.viewer.user.id}`, `key:${foreign.keyId}`, null]) {
      await stack.services.database.sql.query(
        'UPDATE engagement.activity_entries SET actor = $2 WHERE workspace_id = $1',
        [made.workspaceId, actor],
      );
      const { data } = await stack.graph<Acted>(ACTORS, {}, made.token);
      expect(data.list.nodes).toEqual([{ kind: 'MEMBER_CREATED', actor, user: null, apiKey: null }]);
    }
    const { secret } = await stack.key(made.token, ['members:read']);
    const keysOf = '{ list: activity { nodes { apiKey { name } } } }';
    expect(refusalOf(await stack.graph(keysOf, {}, secret))).toEqual([
      403,
      'SCOPE_MISSING',
      'list.nodes.apiKey',
    ]);
  });
});

describe('when a member is erased', () => {
  test("the member's entries are deleted, and an entry about the erasure remains", async () => {
    const made = await programme();
    const [gone, stays] = [await made.join(), await made.join()];
    await order(made, gone);
    await made.act(`requestErasure(memberId: "${gone}") { id }`, made.token);
    await eventually(async () => expect((await made.list()).totalCount).toBe(4));
    stack.services.clock.advance(31 * DAY_MS);
    const scope = { workspaceId: made.workspaceId, mode: 'LIVE' } as const;
    await eraseDueMembers(contextOf(stack.services, systemCaller('test', scope)));
    await eventually(async () => {
      const { nodes } = await made.list();
      expect(nodes.map(({ kind, member }) => [kind, member?.id])).toEqual([
        ['MEMBER_ERASED', gone],
        ['MEMBER_CREATED', stays],
      ]);
    });
  });
});
