import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { type Answer, ask } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import { findNamedMembers } from '../members/member-mappings.service.ts';
import { model } from '../subgraph.ts';
import {
  csv,
  eventHeader,
  faultsOf,
  imported,
  importedMembers,
  memberHeader,
  memberOf,
  orderHeader,
} from './data-imports.fixture.ts';
import type { DataImportInput } from './data-imports.input.ts';
import { previewDataImport } from './data-imports.service.ts';
import type { DataImportKind } from './import-fields.ts';

const { newContext } = useServices();

const membersIn = (ctx: Context, table: string) =>
  ctx.sql.query<{ member: string }>(
    `SELECT member_id AS member FROM model.${table} WHERE workspace_id = $1 AND mode = 'LIVE'`,
    [ctx.scope.workspaceId],
  );

describe('a UUID in a file', () => {
  test('that is the id of a member means that member, whoever has it as an external id', async () => {
    const ctx = newContext();
    const { m1, m2 } = await importedMembers(ctx);
    // A state from before external ids and ids were kept distinct.
    await ctx.sql.query('UPDATE loyalty.members SET external_id = $2 WHERE id = $1', [m2, m1]);
    await ctx.sql.query(
      `UPDATE model.member_mappings SET external_id = $2 WHERE workspace_id = $1 AND external_id = 'm2'`,
      [ctx.scope.workspaceId, m1],
    );
    const upper = m1!.toUpperCase();
    expect([...(await findNamedMembers(ctx, [m1!, upper])).values()].map(({ id }) => id)).toEqual([m1, m1]);
    await imported(ctx, csv('ORDERS', orderHeader, `o1,${m1},2026-02-01T10:00:00Z,1,EUR,paid`));
    await imported(ctx, csv('EVENTS', eventHeader, `e1,${upper},view,2026-02-01T10:00:00Z,x,`));
    const receipts = 'external_id,member_id,channel,message_id,status,occurred_at';
    await imported(ctx, csv('CHANNEL_RECEIPTS', receipts, `r1,${m1},email,n1,sent,2026-02-01T10:00:00Z`));
    for (const table of ['order_facts', 'event_facts', 'channel_receipt_facts'])
      expect(await membersIn(ctx, table)).toEqual([{ member: m1 }]);
  });

  test('that is the id of another member is no external id of a member', async () => {
    const ctx = newContext();
    const { m1 } = await importedMembers(ctx);
    const taken = csv(
      'MEMBERS',
      memberHeader,
      `${m1},new@example.com,2026-01-01,`,
      `${m1!.toUpperCase()},,2026-01-01,`,
      'm9,nine@example.com,2026-01-01,',
    );
    expect(await faultsOf(ctx, taken)).toEqual([
      [2, 'external_id', 'ID_OF_MEMBER'],
      [3, 'external_id', 'ID_OF_MEMBER'],
    ]);
    expect(await memberOf(ctx, m1!)).toBeNull();
  });

  test('that no member has may be an external id', async () => {
    const ctx = newContext();
    const id = '3b241101-e2bb-4255-8caf-4136c566a962';
    const { mappings } = await imported(ctx, csv('MEMBERS', memberHeader, `${id},,2026-01-01,`));
    await imported(ctx, csv('EVENTS', eventHeader, `e1,${id},view,2026-02-01T10:00:00Z,x,`));
    expect(await membersIn(ctx, 'event_facts')).toEqual([{ member: mappings[id] }]);
  });
});

test('names that objects have by themselves are external ids like any other', async () => {
  const ctx = newContext();
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'];
  const file = csv('MEMBERS', memberHeader, ...names.map((name) => `${name},,2026-01-01,`));
  const events = csv(
    'EVENTS',
    eventHeader,
    ...names.map((name) => `e-${name},${name},view,2026-02-01T10:00:00Z,${name},`),
  );
  for (const input of [file, events]) {
    const { token } = await previewDataImport(ctx, input);
    const document = `mutation ($input: DataImportInput!, $token: String!) {
      confirmDataImport(input: $input, token: $token) { inserted mappings }
    }`;
    const { data }: Answer = await ask(model, ctx, document, { input, token });
    expect(data.confirmDataImport.inserted).toBe(names.length);
    const mappings = JSON.parse(JSON.stringify(data.confirmDataImport.mappings)) as object;
    expect(Object.keys(mappings)).toEqual(expect.arrayContaining(names));
    const ids = new Map(Object.entries(mappings));
    expect(new Set(ids.values()).size).toBe(names.length);
    for (const name of names) expect(ids.get(name)).toBe((await memberOf(ctx, name))!.id);
  }
});

describe('a row without any known field', () => {
  const json = (kind: DataImportKind, rows: readonly object[], isList: boolean): DataImportInput => ({
    kind,
    format: 'JSON',
    content: isList ? JSON.stringify(rows) : rows.map((row) => JSON.stringify(row)).join('\n'),
  });
  const kinds = ['MEMBERS', 'ORDERS', 'EVENTS', 'ORDER_LINES', 'CHANNEL_RECEIPTS'] as const;

  test.each(kinds)('of %s is an issue of its own', async (kind) => {
    const ctx = newContext();
    for (const isList of [true, false]) {
      const faults = await faultsOf(ctx, json(kind, [{ foo: 1 }, {}, { external_id: null }], isList));
      expect(faults).toEqual([1, 2, 3].map((row) => [row, null, 'NO_KNOWN_FIELD']));
    }
  });
});

test('a date without a time is the start of that day in the time zone of the workspace', async () => {
  const ctx = newContext();
  await ctx.sql.query('INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, $2, $3)', [
    ctx.scope.workspaceId,
    'Lisbon',
    'Europe/Lisbon',
  ]);
  await imported(ctx, csv('MEMBERS', memberHeader, 'm1,m1@example.com,2025-07-01,'));
  await imported(ctx, csv('ORDERS', orderHeader, 'o1,m1,2025-07-02,1,EUR,paid'));
  await imported(ctx, csv('EVENTS', eventHeader, 'e1,m1,view,2026-01-15,x,'));
  const at = async (table: string, column: string) => {
    const [row] = await ctx.sql.query<{ at: Date }>(
      `SELECT ${column} AS at FROM ${table} WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    return row!.at.toISOString();
  };
  expect([
    await at('loyalty.members', 'created_at'),
    await at('model.order_facts', 'occurred_at'),
    await at('model.event_facts', 'occurred_at'),
  ]).toEqual(['2025-06-30T23:00:00.000Z', '2025-07-01T23:00:00.000Z', '2026-01-15T00:00:00.000Z']);
});

test('of a member that is being erased nothing is imported', async () => {
  const ctx = newContext();
  const { m1 } = await importedMembers(ctx);
  await imported(ctx, csv('ORDERS', orderHeader, 'o1,m1,2026-02-01T10:00:00Z,1,EUR,paid'));
  await askPeer(ctx, 'loyalty', 'mutation ($id: ID!) { requestErasure(memberId: $id) { id } }', { id: m1 });
  const restricted = (column: string) => [[2, column, 'MEMBER_RESTRICTED']];
  const line = csv('ORDER_LINES', 'external_id,order_id,item_id,quantity,unit_price', 'l1,o1,tea,1,1');
  expect([
    await faultsOf(ctx, csv('EVENTS', eventHeader, 'e1,m1,view,2026-02-01T10:00:00Z,x,')),
    await faultsOf(ctx, line),
    await faultsOf(ctx, csv('MEMBERS', memberHeader, 'new,m1@example.com,2026-01-01,')),
  ]).toEqual([restricted('member_id'), restricted('order_id'), restricted('external_id')]);
});
