import { beforeAll, expect, test } from '@jest/globals';
import { composeSupergraph } from '@loyalty/gateway/supergraph/compose';
import { apiSchemaOf } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { locationWorkspace, signedInMember } from './contract/members/location.fixture.ts';
import { useStack } from './harness/stack.ts';

const stack = useStack();

/** Every input of the graph of type Float: an argument, or a field of an input type. */
const places = Object.values(apiSchemaOf(composeSupergraph()).getTypeMap()).flatMap((type) => {
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => ({ of: type.name, field }));
  if (!isObjectType(type) || type.name.startsWith('__')) return [];
  return Object.values(type.getFields()).flatMap(({ name, args }) =>
    args.map((field) => ({ of: `${type.name}.${name}`, field })),
  );
});
const floats = places
  .filter(({ field }) => getNamedType(field.type).name === 'Float')
  .map(({ of, field }) => `${of}.${field.name}`);

interface FloatInput {
  /** An operation that sends `value` as the number. */
  readonly operation: (value: string) => string;
  /** The path in the error. */
  readonly field: string;
  /**
   * Whether 0 is valid: a latitude of 0 is the equator, but with a multiplier of 0 nobody would earn points.
   */
  readonly takesZero: boolean;
  /** The table and column that store it. */
  readonly column?: readonly [string, string];
}

const tierColumn = ['loyalty.tiers', 'multiplier'] as const;
const rule = (terms: string) =>
  `mutation { createEarningRule(input: {name: "R${crypto.randomUUID()}", ${terms}}) { id } }`;
const place = (own: string, value: string) =>
  `${own}: ${value}, ${own === 'latitude' ? 'longitude' : 'latitude'}: 1`;
let ids: { tier: string; store: string };
let credentials: { owner: string; member: string };

const storeInput = (name: 'latitude' | 'longitude') => ({
  create: {
    operation: (value: string) =>
      `mutation { createStore(input: {name: "S", address: "A", ${place(name, value)}}) { id } }`,
    field: `input.${name}`,
    takesZero: true,
    column: ['commerce.stores', name],
  } as const,
  update: {
    operation: (value: string) =>
      `mutation { updateStore(id: "${ids.store}", input: {${place(name, value)}}) { id } }`,
    field: `input.${name}`,
    takesZero: true,
    column: ['commerce.stores', name],
  } as const,
  near: {
    operation: (value: string) => `query { nearbyStores(${place(name, value)}) { storeId } }`,
    field: name,
    takesZero: true,
  } as const,
});
const [latitude, longitude] = [storeInput('latitude'), storeInput('longitude')];

const inputs: Readonly<Record<string, FloatInput>> = {
  'CreateTierInput.multiplier': {
    operation: (value) =>
      `mutation { createTier(input: {name: "G", rank: 9, upgradeThreshold: 9, multiplier: ${value}}) { id } }`,
    field: 'input.multiplier',
    takesZero: false,
    column: tierColumn,
  },
  'UpdateTierInput.multiplier': {
    operation: (value) => `mutation { updateTier(id: "${ids.tier}", input: {multiplier: ${value}}) { id } }`,
    field: 'input.multiplier',
    takesZero: false,
    column: tierColumn,
  },
  'EarningRuleInput.rate': {
    operation: (value) => rule(`kind: BASE, rate: ${value}`),
    field: 'input.rate',
    // A rule for one currency may earn nothing, and precede a rule for all currencies.
    takesZero: true,
    column: ['commerce.earning_rules', 'rate'],
  },
  'EarningRuleInput.multiplier': {
    operation: (value) => rule(`kind: BONUS, multiplier: ${value}`),
    field: 'input.multiplier',
    takesZero: false,
    column: ['commerce.earning_rules', 'multiplier'],
  },
  'CreateStoreInput.latitude': latitude.create,
  'CreateStoreInput.longitude': longitude.create,
  'UpdateStoreInput.latitude': latitude.update,
  'UpdateStoreInput.longitude': longitude.update,
  'Query.nearbyStores.latitude': latitude.near,
  'Query.nearbyStores.longitude': longitude.near,
  'Subscription.trackingEvent.sampleRate': {
    operation: (value) => `subscription { trackingEvent(sampleRate: ${value}) { id } }`,
    field: 'sampleRate',
    takesZero: false,
  },
};

beforeAll(async () => {
  const { token, key, near } = await locationWorkspace(stack);
  await stack.enable(token, 'tracking');
  const { session } = await signedInMember(stack, key);
  const { data } = await stack.graph<{ createTier: { id: string } }>(
    'mutation { createTier(input: {name: "T", rank: 1, upgradeThreshold: 1, multiplier: 2}) { id } }',
    {},
    token,
  );
  credentials = { owner: token, member: session };
  ids = { tier: data.createTier.id, store: near };
});

interface Refusal {
  readonly message: string;
  readonly extensions: { readonly reason: string; readonly field?: string };
}

/**
 * The errors of an operation with this number. The number is a text, because JSON.stringify writes -0 as 0.
 */
async function refusalsOf({ operation, takesZero }: FloatInput, value: string, isVariable: boolean) {
  const written = operation(isVariable ? '$value' : value);
  const query = isVariable ? written.replace(/^(\w+) /, '$1 ($value: Float!) ') : written;
  const variables = isVariable ? `{"value": ${value}}` : '{}';
  const isMember = takesZero && query.includes('nearbyStores');
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: query.startsWith('subscription') ? 'text/event-stream' : 'application/json',
      authorization: `Bearer ${isMember ? credentials.member : credentials.owner}`,
    },
    body: `{"query": ${JSON.stringify(query)}, "variables": ${variables}}`,
  });
  const text = await response.text();
  const { errors = [] } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as { errors?: Refusal[] };
  return errors;
}

test('the table has every Float that the graph takes', () => {
  expect(floats.sort()).toEqual(Object.keys(inputs).sort());
});

const ways = Object.entries(inputs).flatMap(([name, input]) =>
  [true, false].map((isVariable) => [name, isVariable ? 'variable' : 'literal', input, isVariable] as const),
);

test.each(ways)(
  '%s as a %s: no infinity, and 0 only where it makes sense',
  async (_, _way, input, isVariable) => {
    const infinite = await refusalsOf(input, '1e999', isVariable);
    expect(infinite).toHaveLength(1);
    expect(infinite[0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    for (const zero of ['0', '-0', '-0.0']) {
      const refusals = await refusalsOf(input, zero, isVariable);
      if (input.takesZero) expect(refusals).toEqual([]);
      else
        expect(refusals).toMatchObject([{ extensions: { reason: 'VALIDATION_FAILED', field: input.field } }]);
    }
  },
);

test('no -0 and no multiplier of 0 is stored', async () => {
  const { sql } = stack.services.database;
  for (const { column, takesZero } of Object.values(inputs)) {
    if (!column) continue;
    const [table, name] = column;
    const rows = await sql.query<{ stored: string }>(
      `SELECT ${name}::text AS stored FROM ${table} WHERE ${name} = 0`,
    );
    if (takesZero) expect(rows.length).toBeGreaterThan(0);
    else expect(rows).toEqual([]);
    expect(rows.filter(({ stored }) => stored.startsWith('-'))).toEqual([]);
  }
});
