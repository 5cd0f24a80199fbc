import { batches, inTurns } from '@loyalty/platform/base/batches';
import { isUuid } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Cells } from '@loyalty/platform/imports/import-cells';
import type { FactKind, Facts, KnownOrder, OrderLineFact } from '../facts/fact.ts';
import { appendFacts, compareFacts, findOrders } from '../facts/facts.service.ts';
import { findNamedMembers } from '../members/member-mappings.service.ts';
import type { CheckedImport } from './data-imports.input.ts';
import { type MemberFactKind, type OrderLineDraft, readLine } from './import-drafts.ts';
import { type FileRows, readFile } from './import-file.ts';
import { conflictsNow, type ImportPlan, type IssueList, noteIssue } from './import-plan.ts';
import { decimalsRule, minorOf, type TimeBounds, timeBounds } from './import-values.ts';

/** Facts with their row numbers, and the members of the external ids in the file. */
interface FactFile<Kind extends FactKind> {
  readonly facts: Facts[Kind][];
  readonly rows: number[];
  readonly mappings: Map<string, string>;
}

/** Plans files of orders, events or receipts: parses each row with `read` and finds their members. */
export const factsPlan =
  <Kind extends MemberFactKind>(kind: Kind, read: (cells: Cells, bounds: TimeBounds) => Facts[Kind]) =>
  async (ctx: Context, file: CheckedImport, issues: IssueList): Promise<ImportPlan> => {
    const bounds = timeBounds(ctx);
    const drafts = await readFile<Facts[Kind] & { memberId: string }>(ctx, file, issues, (cells) =>
      read(cells, bounds),
    );
    return planOf(ctx, kind, await withMembers(ctx, drafts, issues), issues);
  };

/** Plans a file of order lines: parses it and finds its orders. */
export async function planLines(ctx: Context, file: CheckedImport, issues: IssueList): Promise<ImportPlan> {
  const drafts = await readFile(ctx, file, issues, readLine);
  return planOf(ctx, 'ORDER_LINES', await withOrders(ctx, drafts, lineOf, issues), issues);
}

function planOf<Kind extends FactKind>(
  ctx: Context,
  kind: Kind,
  { facts, rows, mappings }: FactFile<Kind>,
  issues: IssueList,
): ImportPlan {
  return {
    mappings: () => mappings,
    async count() {
      const { fresh, same, conflicts } = await compareFacts(ctx, kind, facts);
      const message = `external_id was imported with other data before. ${insteadOf(kind)}`;
      for (const at of conflicts)
        noteIssue(issues, { row: rows[at]!, column: 'external_id', code: 'ID_CONFLICT', message });
      return { inserted: fresh.length, skipped: same.length };
    },
    async write(tx) {
      const { fresh, same, conflicts } = await appendFacts(tx, kind, facts);
      if (conflicts.length > 0) throw conflictsNow();
      return { inserted: fresh.length, skipped: same.length };
    },
  };
}

const insteadOf = (kind: FactKind): string =>
  kind === 'ORDERS'
    ? 'Imports only add: send a new id, or correct the order by a file of order_updates.'
    : 'Imports only add: send a new id.';

/** Rows per turn of the event loop: about a millisecond. */
const TURN_SIZE = 2_000;

async function withMembers<Kind extends MemberFactKind>(
  ctx: Context,
  { rows, refused }: FileRows<Facts[Kind] & { memberId: string }>,
  issues: IssueList,
): Promise<FactFile<Kind>> {
  const names = new Set<string>();
  for (const { draft } of [...rows, ...refused]) names.add(draft.memberId);
  // An empty name was recorded as an issue when the row was parsed.
  names.delete('');
  const members = await findNamedMembers(ctx, [...names]);
  const file: FactFile<Kind> = { facts: [], rows: [], mappings: new Map() };
  for (const { row, draft } of refused) {
    const member = members.get(draft.memberId);
    if (draft.memberId !== '' && (!member || member.isRestricted))
      noteRefused(issues, row, 'member_id', member !== undefined);
  }
  for await (const part of inTurns(batches(rows, TURN_SIZE))) {
    for (const { row, draft } of part) {
      const member = members.get(draft.memberId);
      if (!member || member.isRestricted) noteRefused(issues, row, 'member_id', member !== undefined);
      else {
        // The draft is changed in place: copying each row of a large file would cost more than parsing it.
        draft.memberId = member.id;
        file.facts.push(draft);
        file.rows.push(row);
      }
    }
  }
  for (const [name, { id, isRestricted }] of members) {
    if (!isRestricted && !(isUuid(name) && name.toLowerCase() === id)) file.mappings.set(name, id);
  }
  return file;
}

const unknown = {
  member_id: ['UNKNOWN_MEMBER', 'member_id is not a member. Import members before their facts.'],
  order_id: ['UNKNOWN_ORDER', 'order_id is not an order. Import orders before files that name them.'],
} as const;

/** Records an issue: the row's member is restricted, or its member or order is unknown. */
function noteRefused(
  issues: IssueList,
  row: number,
  column: keyof typeof unknown,
  isRestricted: boolean,
): void {
  const restricted = `${column} is of a member whose data may not be processed. Leave the row out.`;
  const [code, message] = isRestricted ? ['MEMBER_RESTRICTED', restricted] : unknown[column];
  noteIssue(issues, { row, column, code, message });
}

const ORDERS_AT_ONCE = 5_000;

/** Finds the orders of rows. An unknown order, or an order of a restricted member, is an issue. */
export async function withOrders<Draft extends { readonly order: string }, Fact>(
  ctx: Context,
  { rows, refused }: FileRows<Draft>,
  factOf: (row: number, draft: Draft, order: KnownOrder, issues: IssueList) => Fact | null,
  issues: IssueList,
): Promise<{ facts: Fact[]; rows: number[]; mappings: Map<string, string> }> {
  const orders = await ordersOf(ctx, [...new Set([...rows, ...refused].map(({ draft }) => draft.order))]);
  const memberIds = [...new Set([...orders.values()].map(({ memberId }) => memberId))];
  const members = await findNamedMembers(ctx, memberIds);
  const file = { facts: [] as Fact[], rows: [] as number[], mappings: new Map<string, string>() };
  const memberOf = (order: KnownOrder | undefined) => order && members.get(order.memberId);
  for (const { row, draft } of refused) {
    const member = memberOf(orders.get(draft.order));
    if (draft.order !== '' && (!member || member.isRestricted))
      noteRefused(issues, row, 'order_id', member !== undefined);
  }
  for (const { row, draft } of rows) {
    const order = orders.get(draft.order);
    const member = memberOf(order);
    if (!order || !member || member.isRestricted) noteRefused(issues, row, 'order_id', member !== undefined);
    else {
      const fact = factOf(row, draft, order, issues);
      if (!fact) continue;
      file.facts.push(fact);
      file.rows.push(row);
    }
  }
  return file;
}

async function ordersOf(
  ctx: Context,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KnownOrder>> {
  const found = new Map<string, KnownOrder>();
  for (const ids of batches(externalIds, ORDERS_AT_ONCE)) {
    const orders = await findOrders(ctx, ids);
    for (const [externalId, order] of orders) found.set(externalId, order);
  }
  return found;
}

function lineOf(
  row: number,
  { unitPrice, order: _, ...line }: OrderLineDraft,
  { orderId, memberId, occurredAt, currency }: KnownOrder,
  issues: IssueList,
): OrderLineFact | null {
  const unitPriceMinor = unitPrice === null ? null : minorOf(unitPrice, currency);
  if (unitPrice !== null && unitPriceMinor === null) {
    const message = `unit_price ${decimalsRule(currency)}.`;
    noteIssue(issues, { row, column: 'unit_price', code: 'INVALID_VALUE', message });
    return null;
  }
  return { ...line, orderId, memberId, occurredAt, unitPriceMinor };
}
