import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { accessMap, apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import type { Access } from '@loyalty/platform/identity/access';
import { extendSchema, type GraphQLSchema, isObjectType, parse } from 'graphql';
import { callersFor, modulesOf, scopes } from './callers.ts';
import { ownerlessTypes, unguardedFields } from './demands.ts';
import { own, owners, plain, printed } from './owners.ts';
import { type Leak, walkAccess } from './walk.ts';

const sdl = readFileSync(supergraphFile, 'utf8');
const schema = apiSchemaOf(sdl);
const access = accessMap(sdl);
const callers = callersFor(access);

const leaksIn = (changed: ReadonlyMap<string, Access>, graph: GraphQLSchema = schema) =>
  walkAccess(graph, changed, callers).leaks;
const sentence = ({ path, callers: who }: Leak) =>
  `${path} is reached by ${who.length} callers: ${who.slice(0, 5).join('; ')}`;

/** The access declarations without those of the fields that `isForgotten` picks. */
const forgetting = (isForgotten: (field: string) => boolean): Map<string, Access> =>
  new Map([...access].filter(([field]) => !isForgotten(field)));

test('no caller reaches a field whose owner requires more access, on any path', () => {
  const { leaks, paths } = walkAccess(schema, access, callers);
  expect(leaks.map(sentence)).toEqual([]);
  // A much smaller number would mean that the walk stops too early.
  expect(paths).toBeGreaterThan(40_000);
  process.stdout.write(
    `access: ${paths} paths, ${callers.length} callers, ${scopes.length} scopes, ` +
      `${modulesOf(access).length} modules\n`,
  );
});

test('every field with data of a workspace declares who may read it', () => {
  expect(unguardedFields(schema, access)).toEqual([]);
});

test('every type has an owner: from a query that returns it, or from owners.ts', () => {
  expect(ownerlessTypes(schema, access)).toEqual([]);
});

test('owners.ts names only types and fields that exist', () => {
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => [type.name, ...Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)]);
  const named = [owners, plain, own, printed].flatMap((table) => Object.keys(table));
  const owning = Object.values(owners).flatMap(({ of = [] }) => of);
  expect([...named, ...owning].filter((name) => !fields.includes(name))).toEqual([]);
});

describe('the walk notices', () => {
  test('a type whose access is missing, on the first path to it', () => {
    const leaks = leaksIn(forgetting((field) => /^(Member|Coupon)\./.test(field)));
    const path = 'Query.order.member.coupons.nodes.code';
    expect(leaks.find((leak) => leak.path === path)?.callers).toContain('orders:read alone');
  });

  test('a single field whose access is missing, in every type that has data', () => {
    const guarded = [...access.keys()].filter((field) => !/^(Query|Mutation|Subscription)\./.test(field));
    const shown = guarded.filter((field) => field !== 'Member.emailIndex');
    const unnoticed = shown.filter(
      (field) =>
        unguardedFields(
          schema,
          forgetting((other) => other === field),
        ).length === 0,
    );
    expect(unnoticed).toEqual([]);
  });

  test('a list that a caller with only the write scope may read', () => {
    const lax = new Map(access).set('Member.coupons', access.get('Coupon.code')!);
    expect(leaksIn(lax).map(({ path }) => path)).toContain('Query.order.member.coupons.totalCount');
  });

  test('a module that one path requires and another does not', () => {
    const asked = access.get('Member.receipts')!;
    const open = { ...asked, module: null };
    const lax = new Map([...access].map(([field, each]) => [field, each === asked ? open : each]));
    for (const field of access.keys()) {
      if (/^Receipt(Item)?\./.test(field)) lax.set(field, { ...access.get(field)!, module: null });
    }
    const leak = leaksIn(lax).find(({ path }) => path.endsWith('.receipts'));
    expect(leak?.callers).toEqual(['all without the module receipts']);
  });

  test('a new type for which nobody declared an owner', () => {
    const grown = extendSchema(
      schema,
      parse('extend type Member { secret: Secret } type Secret { note: String }', { noLocation: true }),
    );
    expect(ownerlessTypes(grown, access)).toEqual(['Secret']);
    expect(unguardedFields(grown, access)).toEqual(['Member.secret', 'Secret.note']);
    expect(leaksIn(access, grown).map(({ path }) => path)).toContain('Query.order.member.secret.note');
  });
});
