import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { examples } from '@loyalty/rest-adapter/openapi/examples';
import type { Row } from '@loyalty/rest-adapter/table/row';
import { accessesOf, scopesOf } from '@loyalty/rest-adapter/table/row-access';
import { readOperation } from '@loyalty/rest-adapter/table/row-operation';
import { rows } from '@loyalty/rest-adapter/table/rows';
import { useStack } from '../harness/stack.ts';
import { modulesOf, scopes } from './callers.ts';
import { documentedScopes } from './rows.ts';

const { schema, access } = committedSupergraph();
const nameOf = (row: Row) => readOperation(row.document, schema).name;
const scopedRows = rows.filter((row) => Object.hasOwn(documentedScopes, nameOf(row)));
const listsOf = (row: Row) => documentedScopes[nameOf(row)]!.map((list) => list.split('+'));

const stack = useStack();
let token: string;
beforeAll(async () => {
  ({ token } = await stack.signUp());
  for (const module of modulesOf(access)) await stack.enable(token, module);
});

/**
 * Bodies for the rows whose example does not work with every key, because the required scope depends on the
 * body.
 */
const bodies: Readonly<Record<string, (held: readonly string[]) => unknown>> = {
  CreateApiKey: (scopes) => ({ name: 'till', scopes }),
  CreateSegment: () => ({ name: 'All', definition: { op: 'and', conditions: [] } }),
  CallCapability: ([scope]) => ({
    name: scope === 'predictions:read' ? 'model_get_consumer_state' : decisions[scope!],
    arguments: { member_id: randomUUID(), ...(scope === 'decisions:write' && { action: 'call' }) },
  }),
};
const decisions: Readonly<Record<string, string>> = {
  'decisions:read': 'model_get_decision_history',
  'decisions:write': 'model_record_decision',
};

const keys = new Map<string, Promise<{ secret: string }>>();

/** Returns a key with these scopes. Rows with the same scopes share one key. */
function keyOf(held: readonly string[]): Promise<{ secret: string }> {
  const name = [...held].sort().join(' ');
  const key = keys.get(name) ?? stack.key(token, held);
  keys.set(name, key);
  return key;
}

/** Sends the example of the row with a key of these scopes. The ids in the path do not exist. */
async function send(row: Row, held: readonly string[]) {
  const { secret } = await keyOf(held);
  const path = row.path.replace(/:\w+/g, () => randomUUID());
  if (!row.fileField) {
    const name = nameOf(row);
    const body = bodies[name]?.(held) ?? examples[name]?.body;
    return stack.rest(row.method, path, { as: secret, body: row.method === 'GET' ? undefined : body });
  }
  const headers = { 'content-type': 'text/csv' };
  return stack.rest(row.method, path, { as: secret, body: 'email\nann@example.com\n', headers });
}

test('every REST row that a key may use has documented scopes, and no other row has', () => {
  const names = rows.filter(
    (row) => scopesOf(accessesOf(readOperation(row.document, schema), access)).length > 0,
  );
  expect(Object.keys(documentedScopes).sort()).toEqual([...new Set(names.map(nameOf))].sort());
});

test.each(scopedRows.map((row) => [nameOf(row), row] as const))(
  'the fields of %s ask for nothing but its documented scopes',
  (_, row) => {
    const asked = scopesOf(accessesOf(readOperation(row.document, schema), access));
    const sorted = (lists: readonly (readonly string[])[]) =>
      lists.map((list) => [...list].sort().join('+')).sort();
    expect(sorted(asked)).toEqual(sorted(listsOf(row)));
  },
);

/**
 * Fields that a `:write` scope may read as well: what the key may do, what a call costs, and the state of an
 * import.
 */
const forWriters = [
  'Query.capabilities',
  'Query.creditEstimate',
  'Query.import',
  'Query.imports',
  'Subscription.importProgress',
];

test('only the listed fields can be read with a scope `…:read` and also with its `…:write`', () => {
  const both = [...access].flatMap(([field, { scopes: lists = [] }]) => {
    if (!/^(Query|Subscription)\./.test(field)) return [];
    const alone = lists.flatMap((list) => (list.length === 1 ? list : []));
    const writes = alone.filter((scope) => scope.endsWith(':write'));
    return writes.some((scope) => alone.includes(scope.replace(/write$/, 'read'))) ? [field] : [];
  });
  expect(both.sort()).toEqual(forWriters);
});

describe('over HTTP', () => {
  const cases = scopedRows.flatMap((row) =>
    listsOf(row).map((list) => [nameOf(row), list.join(' and '), row, list] as const),
  );

  test.each(cases)('%s is answered with the scope %s alone', async (_name, _list, row, list) => {
    const { status, body } = await send(row, list);
    expect({ status, isRefused: status === 401 || status === 403, body }).toMatchObject({ isRefused: false });
    expect(status).toBeLessThan(500);
  });

  test.each(scopedRows.map((row) => [nameOf(row), row] as const))(
    '%s is refused with all scopes but its own, and the error is in terms of REST',
    async (_, row) => {
      const own = listsOf(row).flat();
      const { status, body, headers } = await send(
        row,
        scopes.filter((scope) => !own.includes(scope)),
      );
      expect([status, headers.get('x-error-code')]).toEqual([403, 'SCOPE_MISSING']);
      expect(JSON.stringify(body)).not.toContain('field refused');
    },
  );
});
