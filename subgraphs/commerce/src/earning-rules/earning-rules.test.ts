import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { ask as askSubgraph } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { given } from '../commerce.fixture.ts';
import { commerce } from '../subgraph.ts';
import type { RuleInput } from './earning-rules.input.ts';
import {
  createEarningRule,
  deleteEarningRule,
  evaluateEarning,
  evaluateEarnings,
  getEarningRule,
  updateEarningRule,
} from './earning-rules.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const base: RuleInput = { kind: 'BASE', name: 'Base', rate: 1 };
const bonus: RuleInput = { kind: 'BONUS', name: 'Bonus', extraPoints: 5 };
const purchase = {
  kind: 'RECEIPT',
  totalMinor: 10_000n,
  currency: 'EUR',
  occurredAt: new Date('2026-03-02T10:00:00Z'),
  items: [],
} as const;
const ask = (query: string, variables?: Record<string, unknown>, as = ctx.caller) =>
  askSubgraph(commerce, contextOf(services, as), query, variables);

const CREATE = `mutation ($input: EarningRuleInput!) { createEarningRule(input: $input) {
  id kind name isActive appliesTo priority rate currency minimumMinor startsAt endsAt categoryIds productIds
  multiplier extraPoints } }`;

/** Creates a category, a subcategory and a product of the subcategory. */
async function catalog() {
  const { workspaceId, mode } = ctx.scope;
  const [parentId, childId, productId] = [newId(ctx.clock), newId(ctx.clock), newId(ctx.clock)];
  await ctx.sql.query(
    `INSERT INTO commerce.categories (id, workspace_id, mode, name, parent_id, path, created_at)
     VALUES ($3, $1, $2::platform."Mode", 'Drinks', NULL, '{Drinks}', now()),
            ($4, $1, $2::platform."Mode", 'Tea', $3, '{Drinks,Tea}', now())`,
    [workspaceId, mode, parentId, childId],
  );
  await ctx.sql.query(
    `INSERT INTO commerce.products (id, workspace_id, mode, external_id, name, status, category_ids,
       created_at, updated_at)
     VALUES ($3, $1, $2::platform."Mode", 'sencha', 'Sencha', 'ACTIVE', ARRAY[$4::uuid], now(), now())`,
    [workspaceId, mode, productId, childId],
  );
  return { parentId, childId, productId };
}

describe('a rule', () => {
  test('is stored as it is sent, with the defaults of the graph', async () => {
    const { data } = await ask(CREATE, { input: { kind: 'BASE', name: ' Base ', rate: 1.25 } });
    expect(data.createEarningRule).toEqual({
      id: expect.any(String),
      kind: 'BASE',
      name: 'Base',
      isActive: true,
      appliesTo: 'BOTH',
      priority: 0,
      rate: 1.25,
      currency: null,
      minimumMinor: 0,
      startsAt: null,
      endsAt: null,
      categoryIds: [],
      productIds: [],
      multiplier: null,
      extraPoints: null,
    });
  });

  test('is read as it was written, without being rounded', async () => {
    const exact = { minimumMinor: 10n ** 15n, startsAt: new Date('2026-03-01T00:00:00.001Z') };
    const made = await createEarningRule(ctx, { ...base, ...exact, rate: 0.0001, currency: 'EUR' });
    expect(await getEarningRule(fresh(), made.id)).toEqual(made);
    const targets = { categoryIds: [newId(ctx.clock)], productIds: [newId(ctx.clock)] };
    const changed = await updateEarningRule(ctx, made.id, {
      ...targets,
      kind: 'BONUS',
      name: 'Bonus',
      multiplier: 1.001,
    });
    expect(await getEarningRule(fresh(), made.id)).toEqual(changed);
    expect(changed).toMatchObject({ ...targets, multiplier: 1.001, rate: null, createdAt: made.createdAt });
  });

  test('is replaced as a whole and removed, each with its line in the audit log', async () => {
    const { id } = await createEarningRule(ctx, { ...base, currency: 'EUR', minimumMinor: 5n });
    const after = await updateEarningRule(ctx, id, { ...base, name: 'Other', rate: 2 });
    expect(after).toMatchObject({ name: 'Other', rate: 2, currency: null, minimumMinor: 0n });
    expect(await deleteEarningRule(ctx, id)).toBe(id);
    const lines = await ctx.sql.query(
      'SELECT action, before, after FROM platform.audit_entries WHERE resource_id = $1 ORDER BY id',
      [id],
    );
    expect(lines).toMatchObject([
      { action: 'createEarningRule', before: null, after: { currency: 'EUR', minimumMinor: 5 } },
      { action: 'updateEarningRule', before: { rate: 1 }, after: { name: 'Other', rate: 2 } },
      { action: 'deleteEarningRule', before: { name: 'Other' }, after: null },
    ]);
    expect((await ask('{ earningRules { id } }')).data.earningRules).toEqual([]);
  });

  test.each<[string, Partial<RuleInput>, string]>([
    ['base without a rate', { rate: null }, 'input.rate'],
    ['rate below zero', { rate: -1 }, 'input.rate'],
    ['rate of five decimals', { rate: 0.00001 }, 'input.rate'],
    ['base with targets', { categoryIds: [newId({ now: () => new Date() })] }, 'input.categoryIds'],
    ['base with extra points', { extraPoints: 1 }, 'input.extraPoints'],
    ['bonus with a rate', { ...bonus, rate: 1 }, 'input.rate'],
    ['bonus of nothing', { ...bonus, rate: null, extraPoints: null }, 'input.multiplier'],
    ['bonus of both', { ...bonus, rate: null, multiplier: 2 }, 'input.multiplier'],
    ['multiplier of one', { ...bonus, rate: null, extraPoints: null, multiplier: 1 }, 'input.multiplier'],
    ['target that is no id', { ...bonus, rate: null, productIds: ['mug'] }, 'input.productIds'],
    ['window that ends first', { startsAt: new Date(2), endsAt: new Date(1) }, 'input.endsAt'],
    ['minimum below zero', { minimumMinor: -1n }, 'input.minimumMinor'],
    ['priority out of bounds', { priority: 10_001 }, 'input.priority'],
    ['empty name', { name: ' ' }, 'input.name'],
  ])('with a %s is refused', async (_, more, field) => {
    await expect(createEarningRule(ctx, { ...base, ...more })).rejects.toMatchObject({
      category: 'BAD_USER_INPUT',
      details: { field },
    });
  });

  test('has a name of its own, also when two are made at once', async () => {
    const results = await Promise.allSettled([1, 2, 3].map(() => createEarningRule(fresh(), base)));
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'made'));
    expect(codes.sort()).toEqual(['EARNING_RULE_EXISTS', 'EARNING_RULE_EXISTS', 'made']);
  });

  test('is made by admins of live mode only, and found in its own workspace only', async () => {
    const { id } = await createEarningRule(ctx, base);
    const input = { ...base, name: 'Other' };
    const { workspaceId } = ctx.scope;
    const reasons = [];
    for (const who of [{ role: 'MEMBER' }, { mode: 'TEST' }] as const)
      reasons.push((await ask(CREATE, { input }, callerOf({ workspaceId, ...who }))).reason);
    expect(reasons).toEqual(['ROLE_REQUIRED', 'LIVE_ONLY']);
    const stranger = newContext();
    for (const act of [() => updateEarningRule(stranger, id, base), () => deleteEarningRule(stranger, id)])
      await expect(act()).rejects.toMatchObject({ code: 'EARNING_RULE_NOT_FOUND' });
  });
});

describe('what a purchase earns', () => {
  test('is nothing without rules', async () => {
    expect(await evaluateEarning(ctx, purchase)).toEqual({ points: 0, lines: [] });
  });

  test('counts bonuses for a category, for those above it, and for a product by either id', async () => {
    const { parentId, childId, productId } = await catalog();
    const rule = await createEarningRule(ctx, base);
    const [above, own, product] = [
      await createEarningRule(ctx, { ...bonus, name: 'above', categoryIds: [parentId] }),
      await createEarningRule(ctx, { ...bonus, name: 'own', categoryIds: [childId], extraPoints: 7 }),
      await createEarningRule(ctx, { kind: 'BONUS', name: 'x3', productIds: [productId], multiplier: 3 }),
    ];
    const [byId, byExternalId, other] = await evaluateEarnings(ctx, [
      { ...purchase, items: [{ productId, amountMinor: 2_000n }] },
      { ...purchase, items: [{ externalProductId: 'sencha', amountMinor: 2_000n }] },
      { ...purchase, items: [{ externalProductId: 'mug', amountMinor: 2_000n }] },
    ]);
    expect(byId).toEqual(byExternalId);
    expect(byId!.points).toBe(100 + 5 + 7 + 40);
    expect(new Map(byId!.lines.map(({ ruleId, points }) => [ruleId, points]))).toEqual(
      new Map([
        [rule.id, 100],
        [above.id, 5],
        [own.id, 7],
        [product.id, 40],
      ]),
    );
    expect(other!.points).toBe(100);
  });

  test('costs as many statements for fifty purchases as for one', async () => {
    const { parentId } = await catalog();
    await createEarningRule(ctx, { ...bonus, categoryIds: [parentId] });
    const fact = { ...purchase, items: [{ externalProductId: 'sencha', amountMinor: 1n }] };
    for (const count of [1, 50]) {
      services.statements.length = 0;
      const earned = await evaluateEarnings(ctx, Array(count).fill(fact));
      expect(earned.map(({ points }) => points)).toEqual(Array(count).fill(5));
      expect(services.statements).toHaveLength(2);
    }
  });

  test('is previewed with the lines and the tier, and nothing is written', async () => {
    await given.rate(ctx, 0.5);
    await given.tier(ctx, { name: 'Gold', rank: 1, upgradeThreshold: 10, multiplier: 1.5 });
    const { id: memberId } = await given.member(ctx);
    await given.points(ctx, memberId, 10);
    const query = `query ($input: EarningPreviewInput!) { earningPreview(input: $input) {
      basePoints tierMultiplier points lines { rule { name } points } } }`;
    const { data } = await ask(query, { input: { memberId, total: 3_000, currency: 'EUR' } });
    expect(data.earningPreview).toEqual({
      basePoints: 15,
      tierMultiplier: 1.5,
      points: 22,
      lines: [{ rule: { name: 'Base 0.5' }, points: 15 }],
    });
    const unknown = { memberId: newId(ctx.clock), total: 1, currency: 'EUR' };
    expect((await ask(query, { input: unknown })).reason).toBe('MEMBER_NOT_FOUND');
    const rows = await ctx.sql.query('SELECT 1 FROM commerce.orders WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect(rows).toEqual([]);
  });
});
