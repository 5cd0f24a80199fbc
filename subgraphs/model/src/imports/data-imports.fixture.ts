import type { Context } from '@loyalty/platform/context';
import { getWallet } from '../credits/wallet.service.ts';
import { findMembers } from '../members/members.service.ts';
import type { DataImportInput } from './data-imports.input.ts';
import { confirmDataImport, previewDataImport } from './data-imports.service.ts';
import type { DataImportKind } from './import-fields.ts';

/** Returns a CSV file of a kind from its lines, the header first. */
export const csv = (kind: DataImportKind, ...lines: string[]): DataImportInput => ({
  kind,
  format: 'CSV',
  content: lines.join('\n'),
  mapping: {},
});

export const memberHeader = 'external_id,email,created_at,status';
export const orderHeader = 'external_id,member_id,occurred_at,amount,currency,status';
export const eventHeader = 'external_id,member_id,type,occurred_at,item_id,value';

/** Previews a file and confirms it. */
export async function imported(ctx: Context, input: DataImportInput) {
  const { token, issues } = await previewDataImport(ctx, input);
  if (issues.length > 0) throw new Error(JSON.stringify(issues));
  return confirmDataImport(ctx, input, token);
}

/** Creates members `m1`, `m2`, … of the workspace; returns their ids by name. */
export async function importedMembers(ctx: Context, count = 2): Promise<Record<string, string>> {
  const lines = Array.from({ length: count }, (_, at) => `m${at + 1},m${at + 1}@example.com,2026-01-01,`);
  return { ...(await imported(ctx, csv('MEMBERS', memberHeader, ...lines))).mappings };
}

/** Returns a file of events of `m1`, one per minute. */
export const eventsOf = (count: number, prefix = 'e'): DataImportInput =>
  csv(
    'EVENTS',
    eventHeader,
    ...Array.from({ length: count }, (_, at) => {
      const time = new Date(Date.UTC(2026, 1, 1, 0, at)).toISOString();
      return `${prefix}${at + 1},m1,pv,${time},sku-${at},`;
    }),
  );

/** Returns the member of an external id from the loyalty programme. */
export const memberOf = async (ctx: Context, externalId: string) =>
  (await findMembers(ctx, { externalIds: [externalId] }))[0] ?? null;

/** Returns the credits of the workspace; expects that none are reserved. */
export async function balanceOf(ctx: Context): Promise<bigint> {
  const { balance, reserved } = await getWallet(ctx);
  if (reserved !== 0n) throw new Error(`${reserved} credits are still reserved`);
  return balance;
}

/** Returns the number of stored events. */
export async function eventCount(ctx: Context): Promise<number> {
  const rows = await ctx.sql.query(
    'SELECT 1 FROM model.event_facts WHERE workspace_id = $1 AND mode = $2::platform."Mode"',
    [ctx.scope.workspaceId, ctx.scope.mode],
  );
  return rows.length;
}

/** Returns row, column and code of each issue that the preview of a file shows. */
export async function faultsOf(ctx: Context, input: DataImportInput): Promise<unknown[]> {
  const { issues } = await previewDataImport(ctx, input);
  return issues.map(({ row, column, code }) => [row, column, code]);
}
