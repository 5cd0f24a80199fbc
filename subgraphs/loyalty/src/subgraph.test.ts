import { expect, test } from '@jest/globals';
import { rootFieldsWithoutAccess } from '@loyalty/platform/identity/access';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { defineCustomField } from './fields/custom-fields.service.ts';
import { ask, given } from './loyalty.fixture.ts';
import { awardPoints } from './points/points.service.ts';
import { loyalty } from './subgraph.ts';

const { services, newContext } = useServices();

const LIST = `query ($first: Int) { members(first: $first) { totalCount nodes { id email name pointsBalance
  pointsEarned customAttributes
  tier { id name } pointsTransactions(first: 3) { totalCount nodes { id amount member { id pointsBalance } } }
    } } }`;

test('every root field says who may call it', () => {
  expect(rootFieldsWithoutAccess(loyalty.schema)).toEqual([]);
});

test('one member and fifty with tier, balance, attributes and ledger cost the same statements', async () => {
  const { caller } = newContext();
  const ctx = contextOf(services, caller);
  await given.tiers(ctx, { Bronze: 1, Silver: 20 });
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  for (let i = 0; i < 50; i += 1) {
    const { id } = await given.member(ctx, { customAttributes: { size: i } });
    for (let k = 0; k < 4; k += 1) await awardPoints(ctx, id, { amount: i + 1 });
  }
  const count = async (first: number) => {
    services.statements.length = 0;
    const { members } = await ask(contextOf(services, caller), LIST, { first });
    expect(members.nodes).toHaveLength(first);
    expect(members.nodes[0].pointsTransactions).toMatchObject({
      totalCount: 4,
      nodes: [{ amount: 50 }, { amount: 50 }, { amount: 50 }],
    });
    return services.statements.length;
  };
  const [one, fifty] = [await count(1), await count(50)];
  expect(fifty).toBe(one);
  // members, their total, the audit of their names, tiers, field keys, ledgers, and the members of entries
  expect(one).toBe(7);
});
