import { expect, test } from '@jest/globals';
import { schema } from './adapter.fixture.ts';
import { replyShaper } from './reply.ts';
import { readOperation } from './table/row-operation.ts';

const shape = (text: string, data: Record<string, unknown>) =>
  replyShaper(readOperation(text, schema).definition, schema)(data);
const connection = (nodes: unknown[]) => ({ nodes });

test('the fields of `reply` become fields of the body, beside the other root fields', () => {
  const text =
    'query T($id: ID!) { reply: member(id: $id) { currentTier: tier { name label: name } } allTiers: tiers { name } }';
  const data = { reply: { currentTier: { name: 'Silver', label: 'S' } }, allTiers: [{ name: 'Silver' }] };
  expect(shape(text, data)).toEqual({
    currentTier: { name: 'Silver', label: 'S' },
    allTiers: [{ name: 'Silver' }],
  });
});

test('a root field with another alias is in the body under that alias', () => {
  const text = 'query T { data: isSubscribed(email: "a@b.c") { email } }';
  expect(shape(text, { data: { email: 'a@b.c' } })).toEqual({ data: { email: 'a@b.c' } });
});

test('a `reply` that is a list is the whole body', () => {
  expect(shape('query T { reply: tiers { id status } }', { reply: [{ id: '1', status: 'ACTIVE' }] })).toEqual(
    [{ id: '1', status: 'active' }],
  );
});

test('enum values are in lower case at any depth, also in lists and behind aliases', () => {
  const text = 'query T { reply: members { members: nodes { state: status tier { id status } } } }';
  const data = {
    reply: { members: [{ state: 'DEACTIVATION_PENDING', tier: { id: '1', status: 'ACTIVE' } }] },
  };
  expect(shape(text, data)).toEqual({
    members: [{ state: 'deactivation_pending', tier: { id: '1', status: 'active' } }],
  });
});

test('values that only look like enum values do not change', () => {
  const text = 'query T($id: ID!) { reply: member(id: $id) { email customAttributes } }';
  const data = { reply: { email: 'ACTIVE', customAttributes: { status: 'ACTIVE' } } };
  expect(shape(text, data)).toEqual({ email: 'ACTIVE', customAttributes: { status: 'ACTIVE' } });
});

test('a nested object of which only `id` is selected becomes the id, or null', () => {
  const text = 'query T { reply: members { members: nodes { current_tier_id: tier { id } } } }';
  const data = { reply: { members: [{ current_tier_id: { id: '1' } }, { current_tier_id: null }] } };
  expect(shape(text, data)).toEqual({ members: [{ current_tier_id: '1' }, { current_tier_id: null }] });
});

test('a nested object of which only `nodes` is selected becomes the list', () => {
  const text =
    'query T($id: ID!) { reply: member(id: $id) { transactions: pointsTransactions { nodes { id kind } } } }';
  const data = {
    reply: {
      transactions: connection([
        { id: '1', kind: 'AWARD' },
        { id: '2', kind: null },
      ]),
    },
  };
  expect(shape(text, data)).toEqual({
    transactions: [
      { id: '1', kind: 'award' },
      { id: '2', kind: null },
    ],
  });
});

test('a root field of which only `id` is selected stays an object', () => {
  expect(shape('query T($id: ID!) { reply: member(id: $id) { id } }', { reply: { id: '1' } })).toEqual({
    id: '1',
  });
  expect(shape('query T($id: ID!) { data: member(id: $id) { id } }', { data: { id: '1' } })).toEqual({
    data: { id: '1' },
  });
});

test('a nested object of which only an aliased `id` is selected stays an object', () => {
  const text = 'query T($id: ID!) { reply: member(id: $id) { tier { tierId: id } } }';
  expect(shape(text, { reply: { tier: { tierId: '1' } } })).toEqual({ tier: { tierId: '1' } });
});

test('the data of the graph is not changed', () => {
  const data = { reply: [{ status: 'ACTIVE' }] };
  shape('query T { reply: tiers { status } }', data);
  expect(data).toEqual({ reply: [{ status: 'ACTIVE' }] });
});

test('a selection by type and an unknown field are refused at start', () => {
  expect(() => shape('query T { reply: tiers { ... on Tier { id } } }', {})).toThrow(
    'A row cannot select by type',
  );
  expect(() => shape('query T { reply: tiers { colour } }', {})).toThrow('Tier has no field colour');
});

test('below a root field, a single selected field without an alias replaces its object', () => {
  const text =
    'query T($id: ID!) { reply: member(id: $id) { id level: tier { name } named: tier { called: name } } }';
  const data = { reply: { id: '1', level: { name: 'Silver' }, named: { called: 'Silver' } } };
  expect(shape(text, data)).toEqual({ id: '1', level: 'Silver', named: { called: 'Silver' } });
});
