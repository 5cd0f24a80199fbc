import { afterEach, describe, expect, test } from '@jest/globals';
import { ask as askSubgraph } from '@loyalty/test/harness/ask';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { useServices } from '@loyalty/test/harness/services';
import { given, sale } from '../commerce.fixture.ts';
import { createStore } from '../stores/stores.service.ts';
import { commerce } from '../subgraph.ts';
import { createOrders } from './orders.service.ts';

const { services, ctx, fresh } = useServices();
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

const ask = (query: string, variables?: Record<string, unknown>) =>
  askSubgraph(commerce, fresh(), query, variables);

describe('orders in the graph', () => {
  const PAGE = `query ($first: Int, $after: String) { orders(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { externalOrderId } } }`;

  test('page by cursor through equal instants without a gap or a repeat', async () => {
    const inputs = Array.from({ length: 25 }, (_, n) =>
      sale(ctx, { occurredAt: new Date(Date.UTC(2026, 0, 1 + (n % 3))) }),
    );
    await createOrders(ctx, inputs);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { data }: { data: Record<string, never> } = await ask(PAGE, { first: 4, after });
      const { nodes, pageInfo } = data['orders'] as never as {
        nodes: { externalOrderId: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
      seen.push(...nodes.map(({ externalOrderId }) => externalOrderId));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after);
    expect(new Set(seen)).toEqual(new Set(inputs.map(({ externalOrderId }) => externalOrderId)));
    expect(seen).toHaveLength(25);
  });

  test('cost the same statements for one and for fifty, with stores and refunds', async () => {
    const store = await createStore(ctx, { name: 'Corner', address: 'Street 1' });
    await createOrders(
      ctx,
      Array.from({ length: 50 }, () => sale(ctx, { storeId: store.id })),
    );
    const query = `query ($first: Int!) { orders(first: $first) { totalCount nodes { id store { name }
      total { amountMinor currency } refunds { id amount { amountMinor } } items { name } } } }`;
    const cost = async (first: number) => {
      services.statements.length = 0;
      const { data } = await ask(query, { first });
      expect(data.orders.nodes).toHaveLength(first);
      return services.statements.length;
    };
    expect(await cost(1)).toBe(4);
    expect(await cost(50)).toBe(4);
  });

  test('of one store are found by status and days, with the same statements for one and for fifty', async () => {
    const [store, other] = [
      await createStore(ctx, { name: 'Here', address: 'Street 1' }),
      await createStore(ctx, { name: 'There', address: 'Street 2' }),
    ];
    const placed = (storeId: string | null, day: number, status: 'PAID' | 'PLACED' = 'PAID') =>
      sale(ctx, { storeId, status, occurredAt: new Date(Date.UTC(2026, 1, day)) });
    const wanted = Array.from({ length: 50 }, (_, n) => placed(store.id, 3 + (n % 2)));
    const others = [placed(store.id, 2), placed(store.id, 5), placed(store.id, 3, 'PLACED')];
    await createOrders(ctx, [...wanted, ...others, placed(other.id, 3), placed(null, 3)]);
    const query = `query ($first: Int!, $storeId: ID!) { orders(first: $first, storeId: $storeId,
      status: PAID, from: "2026-02-03T00:00:00Z", to: "2026-02-05T00:00:00Z") {
      totalCount nodes { externalOrderId store { id } } } }`;
    const read = async (first: number) => {
      services.statements.length = 0;
      const { data } = await ask(query, { first, storeId: store.id });
      return { ...data.orders, statements: services.statements.length };
    };
    const { nodes, totalCount, statements } = await read(50);
    const ids = (all: readonly { readonly externalOrderId: string }[]) =>
      new Set(all.map(({ externalOrderId }) => externalOrderId));
    expect(ids(nodes)).toEqual(ids(wanted));
    expect(totalCount).toBe(50);
    expect([(await read(1)).statements, statements]).toEqual([3, 3]);
  });

  test("of many members load together, each member's own", async () => {
    const members = await Promise.all(Array.from({ length: 50 }, () => given.member(ctx)));
    for (const { id } of members)
      await createOrders(
        ctx,
        [1, 2, 3].map((n) => sale(ctx, { memberId: id, total: n })),
      );
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Member { id
      orders(first: 2) { totalCount pageInfo { hasNextPage } nodes { id member { id } } } } } }`;
    const cost = async (count: number) => {
      const of = members.slice(0, count).map(({ id }) => ({ __typename: 'Member', id }));
      services.statements.length = 0;
      const { data } = await ask(query, { of });
      for (const { id, orders } of data._entities) {
        expect(orders).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
        expect(orders.nodes.map(({ member }: { member: { id: string } }) => member.id)).toEqual([id, id]);
      }
      return services.statements.length;
    };
    expect(await cost(1)).toBe(3);
    expect(await cost(50)).toBe(3);
  });

  test('of a member need the scope orders:read', async () => {
    const { id } = await given.member(ctx);
    const key = fresh({ kind: 'KEY', role: null, scopes: ['members:read'] });
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Member {
      orders { totalCount } } } }`;
    const { reason } = await askSubgraph(commerce, key, query, { of: [{ __typename: 'Member', id }] });
    expect(reason).toBe('SCOPE_MISSING');
  });
});
