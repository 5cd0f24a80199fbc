import { beforeAll, describe, expect, test } from '@jest/globals';
import { apiSchemaOf } from '@loyalty/gateway/supergraph/api-schema';
import { composeSupergraph } from '@loyalty/gateway/supergraph/compose';
import { rows } from '@loyalty/rest-adapter/table/rows';
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { useStack } from '../harness/stack.ts';
import { type Tenant, tenantsOf } from './tenants.given.ts';

/**
 * Two workspaces, live and test: whoever asks with one credential sees nothing that another wrote, through
 * any root field or REST path. Every marker below is text that only its writer may read.
 */
const stack = useStack();
let tenants: Tenant[];
let schema: GraphQLSchema;

beforeAll(async () => {
  schema = apiSchemaOf(composeSupergraph());
  tenants = (await Promise.all([tenantsOf(stack, 'alpha'), tenantsOf(stack, 'omega')])).flat();
}, 300_000);

/** Everything that a tenant must not see: the other workspace's text and ids, and the other mode's own rows. */
const foreign = (self: Tenant) =>
  tenants
    .filter((other) => other !== self)
    .flatMap((other) => [
      other.marker,
      ...(other.shared === self.shared ? [] : [other.shared]),
      ...other.ids.filter((id) => !self.ids.includes(id)),
    ]);

const expectNothingForeign = (self: Tenant, asked: string, reply: unknown) => {
  const text = JSON.stringify(reply).replaceAll(asked, '');
  expect(foreign(self).filter((secret) => text.includes(secret))).toEqual([]);
};

const LEVELS = 3;

/** Fields worth reading of a type: its leaves, and the leaves of objects one level down. */
function selection(field: GraphQLField<unknown, unknown>, levels = LEVELS): string {
  const type = getNamedType(field.type);
  const isLong = levels < LEVELS && field.args.some(({ name }) => name === 'first');
  const asked = isLong ? `${field.name}(first: 5)` : field.name;
  if (isLeafType(type)) return field.name;
  if (!isObjectType(type) || levels === 0) return '';
  const inner = Object.values(type.getFields())
    .filter(({ args }) => !args.some((argument) => isNonNullType(argument.type)))
    .map((nested) => selection(nested, levels - 1))
    .filter(Boolean);
  return inner.length > 0 ? `${asked} { ${inner.join(' ')} }` : '';
}

/** Selections that are each small enough for one operation, and together all of `selection`. */
function partsOf(field: GraphQLField<unknown, unknown>): string[] {
  const type = getNamedType(field.type);
  if (type.name !== 'Member' || !isObjectType(type)) return [selection(field)];
  return Object.values(type.getFields())
    .filter(({ args }) => !args.some((argument) => isNonNullType(argument.type)))
    .map((nested) => selection(nested, isListType(nested.type) ? LEVELS - 2 : LEVELS - 1))
    .filter(Boolean)
    .map((nested) => `${field.name} { ${nested} }`);
}

/**
 * Arguments of a root field with `$id` for every id, and something plausible for other required values. Ids are
 * a variable so that each operation is planned once, not for each of them.
 */
function argumentsOf(field: GraphQLField<unknown, unknown>, marker: string): string {
  const values = field.args
    .filter(
      ({ type, defaultValue }) =>
        getNamedType(type).name === 'ID' || (isNonNullType(type) && defaultValue === undefined),
    )
    .map((argument) => `${argument.name}: ${literal(argument.type, marker)}`);
  // Whole pages of members cost more than one operation may.
  if (field.args.some(({ name }) => name === 'first')) values.push('first: 5');
  return values.length > 0 ? `(${values.join(', ')})` : '';
}

function literal(type: Parameters<typeof getNamedType>[0], marker: string): string {
  const named = getNamedType(type)!;
  if (String(type).includes('[')) return `[${literal(named, marker)}]`;
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
    return `{${fields.map((field) => `${field.name}: ${literal(field.type, marker)}`).join(', ')}}`;
  }
  const plain: Record<string, string> = {
    ID: '$id',
    Int: '1',
    PositiveInt: '1',
    Float: '1',
    Boolean: 'false',
    JSONObject: '{}',
    EmailAddress: `"${marker}@example.com"`,
  };
  if ('getValues' in named) return (named.getValues() as readonly { name: string }[])[0]!.name;
  return plain[named.name] ?? `"${marker}"`;
}

/** The operation with its variable declared, where it uses it. */
const operation = (kind: 'query' | 'mutation', field: string) =>
  `${kind} ${field.includes('$id') ? '($id: ID!) ' : ''}{ ${field} }`;

describe('the graph', () => {
  test('every query, asked by each tenant with every foreign id, shows nothing foreign', async () => {
    const fields = Object.values(schema.getQueryType()!.getFields());
    expect(fields.length).toBeGreaterThan(10);
    for (const self of tenants) {
      for (const field of fields) {
        const takesId = field.args.some(({ type }) => getNamedType(type).name === 'ID');
        for (const id of takesId
          ? foreign(self).filter((secret) => secret.includes('-'))
          : ['00000000-0000-7000-8000-000000000000']) {
          for (const part of partsOf(field)) {
            const named = field.name + argumentsOf(field, self.marker);
            const query = operation(
              'query',
              part.replace(field.name, () => named),
            );
            const { status, data } = await stack.graph(query, { id }, self.credential);
            expect([part, status]).not.toEqual([part, 400]);
            expectNothingForeign(self, id, data ?? null);
          }
        }
      }
    }
  }, 300_000);

  test('every mutation that takes an id, given every foreign id, finds nothing and changes nothing', async () => {
    const fields = Object.values(schema.getMutationType()!.getFields()).filter(({ args }) =>
      args.some(({ type }) => getNamedType(type).name === 'ID'),
    );
    const before = await everything();
    for (const self of tenants) {
      for (const field of fields) {
        for (const id of foreign(self).filter((secret) => secret.includes('-'))) {
          const args = argumentsOf(field, self.marker);
          const isLeaf = isLeafType(getNamedType(field.type));
          const { errors, data } = await stack.graph(
            operation('mutation', `${field.name}${args} ${isLeaf ? '' : '{ __typename }'}`),
            { id },
            self.credential,
          );
          expect({
            field: field.name,
            data: data?.[field.name as never] ?? null,
            refused: errors !== undefined,
          }).toEqual({ field: field.name, data: null, refused: true });
        }
      }
    }
    expect(await everything()).toEqual(before);
  }, 300_000);
});

describe('REST', () => {
  test('every GET path, with every foreign id in it, answers 404 or nothing foreign', async () => {
    for (const self of tenants) {
      for (const row of rows.filter(({ method }) => method === 'GET')) {
        for (const id of row.path.includes(':')
          ? foreign(self).filter((secret) => secret.includes('-'))
          : ['']) {
          const reply = await stack.rest('GET', row.path.replace(/:\w+/, id), { as: self.credential });
          expectNothingForeign(self, id, reply.body);
          if (id && reply.status < 400)
            throw new Error(`${row.path} with a foreign id answered ${reply.status}`);
        }
      }
    }
  }, 300_000);

  test('every write path, with every foreign id in it, changes nothing', async () => {
    const before = await everything();
    for (const self of tenants) {
      for (const row of rows.filter(({ method, path }) => method !== 'GET' && path.includes(':'))) {
        for (const id of foreign(self).filter((secret) => secret.includes('-'))) {
          const body = row.method === 'DELETE' ? {} : { body: { amount: 1 } };
          const { status } = await stack.rest(row.method, row.path.replace(/:\w+/, id), {
            as: self.credential,
            ...body,
          });
          expect({ path: row.path, refused: status >= 400 && status < 500 }).toEqual({
            path: row.path,
            refused: true,
          });
        }
      }
    }
    expect(await everything()).toEqual(before);
  }, 300_000);
});

/** All tenant rows, as the database holds them. */
async function everything(): Promise<unknown> {
  const tables = [
    'loyalty.members',
    'loyalty.points_entries',
    'loyalty.tags',
    'loyalty.consent_changes',
    'loyalty.member_exports',
    'loyalty.tiers',
    'loyalty.custom_fields',
    'loyalty.coupon_pools',
    'loyalty.coupons',
    'loyalty.captures',
    'loyalty.object_records',
    'loyalty.store_visits',
    'commerce.stores',
    'commerce.orders',
    'commerce.refunds',
    'commerce.products',
    'commerce.earning_rules',
    'engagement.suppressions',
  ];
  const { sql } = stack.services.database;
  const found = await Promise.all(
    tables.map((table) => sql.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY id`)),
  );
  return found.map((list, index) => [tables[index], list]);
}
