import { beforeAll, describe, expect, test } from '@jest/globals';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { rows } from '@loyalty/rest-adapter/table/rows';
import {
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { useStack } from './harness/stack.ts';
import { type Tenant, tenantsOf } from './tenants.fixture.ts';

/**
 * The tests use two workspaces, each in live and test mode: four tenants. No credential may read what another
 * tenant wrote, through any root field or REST path. Every marker below is a text that only its own tenant
 * may read.
 *
 * Each tenant requests ids of one other tenant: either of the other mode of its workspace, or of the same
 * mode in the other workspace. So a path that ignores the mode or the workspace fails for one of them. If an
 * id has the type that an argument takes, every tenant requests it; an id of another type is requested by one
 * tenant only.
 */
const stack = useStack();
const { schema } = committedSupergraph();
const names = ['alpha LIVE', 'alpha TEST', 'omega LIVE', 'omega TEST'];
let tenants: Tenant[];
/** For each tenant, the texts and ids that it must not see. */
let secrets: ReadonlyMap<Tenant, readonly string[]>;

beforeAll(async () => {
  tenants = (await Promise.all([tenantsOf(stack, 'alpha'), tenantsOf(stack, 'omega')])).flat();
  expect(tenants.map(({ name }) => name)).toEqual(names);
  secrets = new Map(tenants.map((self) => [self, secretsFor(self)]));
}, 300_000);

/**
 * The texts and ids that a tenant must not see: those of the other workspace, and those of the other mode
 * alone.
 */
const secretsFor = (self: Tenant) =>
  tenants
    .filter((other) => other !== self)
    .flatMap((other) => [
      other.marker,
      ...(other.shared === self.shared ? [] : [other.shared]),
      ...[...other.ids].flatMap(([type, id]) => (self.ids.get(type) === id ? [] : [id])),
    ]);

const expectNothingForeign = (self: Tenant, asked: string, reply: unknown) => {
  const text = JSON.stringify(reply).replaceAll(asked, '');
  expect(secrets.get(self)!.filter((secret) => text.includes(secret))).toEqual([]);
};

/** The tenant whose ids this tenant requests. */
const askedOf = ({ workspace, mode }: Tenant): Tenant =>
  tenants.find((other) =>
    workspace === 'alpha'
      ? other.workspace === 'alpha' && other.mode !== mode
      : other.workspace === 'alpha' && other.mode === mode,
  )!;

/** The types that a name such as `tier` can mean; empty if no type fits. */
const typesNamed = (noun: string): string[] =>
  [...tenants[0]!.ids.keys()].filter((type) => type.toLowerCase().endsWith(noun.toLowerCase()));

/**
 * The foreign ids that a tenant requests in one place: all ids of `types`, and those of other types for which
 * it is this tenant's turn. If `isSure`, only ids of `types`.
 *
 * @param place - the number of the place; the tenants take turns by it
 */
function idsFor(self: Tenant, place: number, types: readonly string[], isSure: boolean): string[] {
  return [...self.ids.keys()].flatMap((type, number) => {
    const idOf = (asker: Tenant) => askedOf(asker).ids.get(type)!;
    const askers = tenants.filter((asker) => idOf(asker) !== asker.ids.get(type));
    if (!askers.includes(self)) return [];
    if (types.includes(type)) return [idOf(self)];
    return !isSure && askers[(place + number) % askers.length] === self ? [idOf(self)] : [];
  });
}

const LEVELS = 3;

/** A selection of the scalar fields of a type and of the objects in it, `levels` deep. */
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

/** Splits `selection` into parts that are each small enough for one operation. */
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
 * The foreign ids for an argument. `memberId` takes ids of members; `id` takes those of the returned type, or
 * any.
 */
function idsOfArgument(self: Tenant, place: number, field: Field, { name }: GraphQLArgument): string[] {
  const named = typesNamed(name.replace(/Ids?$/, ''));
  if (/Ids?$/.test(name) && named.length > 0) return idsFor(self, place, named, true);
  return idsFor(self, place, [getNamedType(field.type).name], false);
}

type Field = GraphQLField<unknown, unknown>;
const takesIds = ({ type }: GraphQLArgument) => getNamedType(type).name === 'ID';
const isRequired = ({ type, defaultValue }: GraphQLArgument) =>
  isNonNullType(type) && defaultValue === undefined;

/**
 * The arguments of a root field: `$id` for the tested argument, the tenant's own ids for other required ids,
 * and plausible values for other required arguments. The id is a variable, so that each operation is planned
 * only once.
 */
function argumentsOf(field: Field, self: Tenant, asked: GraphQLArgument | null): string {
  const values = field.args
    .filter((argument) => argument === asked || isRequired(argument))
    .map((argument) => {
      const own =
        argument === asked ? null : self.ids.get(typesNamed(argument.name.replace(/Id$/, ''))[0] ?? '');
      return `${argument.name}: ${takesIds(argument) && own ? `"${own}"` : literal(argument.type, self.marker)}`;
    });
  // A full page of members would exceed the cost limit of an operation.
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

/** The text of an operation, which declares `$id` if it uses it. */
const operation = (kind: 'query' | 'mutation', field: string) =>
  `${kind} ${field.includes('$id') ? '($id: ID!) ' : ''}{ ${field} }`;

const queries = Object.values(schema.getQueryType()!.getFields());
const mutations = Object.values(schema.getMutationType()!.getFields()).filter(({ args }) =>
  args.some(takesIds),
);

async function expectNothingIn(self: Tenant, field: Field, asked: GraphQLArgument | null, id: string) {
  const parts = partsOf(field);
  const type = [...self.ids.keys()].find((known) => askedOf(self).ids.get(known) === id);
  // For an id of another type one part of the selection is enough.
  const isOther = asked?.name === 'id' && type !== getNamedType(field.type).name;
  for (const part of isOther ? parts.slice(0, 1) : parts) {
    const named = field.name + argumentsOf(field, self, asked);
    const query = operation(
      'query',
      part.replace(field.name, () => named),
    );
    const { status, data } = await stack.graph(query, { id }, self.credential);
    expect([query, status]).not.toEqual([query, 400]);
    expectNothingForeign(self, id, data ?? null);
  }
}

describe.each(names)('with a key of %s', (name) => {
  const selfOf = () => tenants.find((tenant) => tenant.name === name)!;

  test('no query shows anything foreign, asked without an id', async () => {
    const self = selfOf();
    const plain = queries.filter(({ args }) => !args.some((one) => takesIds(one) && isRequired(one)));
    expect(plain.length).toBeGreaterThan(80);
    for (const field of plain) await expectNothingIn(self, field, null, NO_ID);
  }, 300_000);

  test('no query shows anything foreign, asked with a foreign id in any argument', async () => {
    const self = selfOf();
    let asked = 0;
    for (const [place, field] of queries.entries())
      for (const argument of field.args.filter(takesIds))
        for (const id of idsOfArgument(self, place, field, argument)) {
          await expectNothingIn(self, field, argument, id);
          asked += 1;
        }
    expect(asked).toBeGreaterThan(100);
  }, 300_000);

  test('every mutation with a foreign id in any argument is refused and changes nothing', async () => {
    const self = selfOf();
    const before = await everything();
    let asked = 0;
    for (const [place, field] of mutations.entries())
      for (const argument of field.args.filter(takesIds))
        for (const id of idsOfArgument(self, place, field, argument)) {
          const args = argumentsOf(field, self, argument);
          const isLeaf = isLeafType(getNamedType(field.type));
          const query = operation('mutation', `${field.name}${args} ${isLeaf ? '' : '{ __typename }'}`);
          const { errors, data } = await stack.graph(query, { id }, self.credential);
          const found = data?.[field.name as never] ?? null;
          expect({ query, found, refused: errors !== undefined }).toEqual({
            query,
            found: null,
            refused: true,
          });
          asked += 1;
        }
    expect(asked).toBeGreaterThan(200);
    expect(await everything()).toEqual(before);
  }, 300_000);

  test('every GET path answers 404 to a foreign id, and nothing foreign without one', async () => {
    const self = selfOf();
    let asked = 0;
    for (const [place, row] of rows.entries()) {
      if (row.method !== 'GET') continue;
      const paths = row.path.includes(':') ? pathsOf(self, place, row.path) : [{ id: '', path: row.path }];
      for (const { id, path } of paths) {
        const reply = await stack.rest('GET', path, { as: self.credential });
        expectNothingForeign(self, id, reply.body);
        if (id && reply.status < 400)
          throw new Error(`GET ${path} with a foreign id answered ${reply.status}`);
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(60);
  }, 300_000);

  test('every write path with a foreign id in it changes nothing', async () => {
    const self = selfOf();
    const before = await everything();
    let asked = 0;
    for (const [place, row] of rows.entries()) {
      if (row.method === 'GET' || !row.path.includes(':')) continue;
      for (const { path } of pathsOf(self, place, row.path)) {
        const body = row.method === 'DELETE' ? {} : { body: { amount: 1 } };
        const { status } = await stack.rest(row.method, path, { as: self.credential, ...body });
        expect([path, status >= 400 && status < 500]).toEqual([path, true]);
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(40);
    expect(await everything()).toEqual(before);
  }, 300_000);
});

const NO_ID = '00000000-0000-7000-8000-000000000000';

/**
 * The path once for each foreign id in each of its parameters; the other parameters have the tenant's own
 * ids. A path like `/members/:id` takes ids of members. A parameter with an unclear type is tried with ids of
 * all types.
 */
function pathsOf(self: Tenant, place: number, path: string): { id: string; path: string }[] {
  const parameters = [...path.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, noun = '', name = '']) => ({
    noun,
    name,
  }));
  const typesOf = ({ noun, name }: { noun: string; name: string }) =>
    /.Id$/.test(name)
      ? typesNamed(name.replace(/Id$/, ''))
      : typesNamed(noun.replaceAll('-', '').replace(/s$/, ''));
  const ownOf = (parameter: { noun: string; name: string }) =>
    parameter.name === 'type' ? 'note' : (self.ids.get(typesOf(parameter)[0] ?? '') ?? NO_ID);
  return parameters.flatMap((asked) =>
    idsFor(self, place, typesOf(asked), /.Id$/.test(asked.name) && typesOf(asked).length > 0).map((id) => ({
      id,
      path: parameters.reduce(
        (filled, one) => filled.replace(`:${one.name}`, one === asked ? id : ownOf(one)),
        path,
      ),
    })),
  );
}

/** All rows of the tenants. */
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
