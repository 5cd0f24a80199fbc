import type { Context } from '@loyalty/platform/context';
import type { KnownOrder } from '../facts/fact.ts';
import type { OrderUpdate } from '../facts/order-update.ts';
import { appendUpdates, compareUpdates, firstAmounts } from '../facts/order-updates.service.ts';
import type { CheckedImport } from './data-imports.input.ts';
import { type OrderUpdateDraft, readUpdate } from './import-drafts.ts';
import { readFile } from './import-file.ts';
import { conflictsNow, type ImportPlan, type IssueList, noteIssue } from './import-plan.ts';
import { decimalsRule, minorOf, timeBounds } from './import-values.ts';
import { withOrders } from './imported-facts.ts';

/** Corrections with their row numbers. */
interface UpdateFile {
  readonly facts: readonly OrderUpdate[];
  readonly rows: readonly number[];
}

/** Plans a file of corrections: parses it and finds its orders. */
export async function planUpdates(
  ctx: Context,
  input: CheckedImport,
  issues: IssueList,
): Promise<ImportPlan> {
  const bounds = timeBounds(ctx);
  const drafts = await readFile(ctx, input, issues, (cells) => readUpdate(cells, bounds));
  const file = await withOrders(ctx, drafts, updateOf, issues);
  await noteHighAmounts(ctx, file, issues);
  return {
    mappings: () => file.mappings,
    async count() {
      const { fresh, same, conflicts } = await compareUpdates(ctx, file.facts);
      const message = 'external_id was imported with other data before. Send a correction with a new id.';
      for (const at of conflicts)
        noteIssue(issues, { row: file.rows[at]!, column: 'external_id', code: 'ID_CONFLICT', message });
      return { inserted: fresh.length, skipped: same.length };
    },
    async write(tx) {
      const { fresh, same, conflicts } = await appendUpdates(tx, file.facts);
      if (conflicts.length > 0) throw conflictsNow();
      return { inserted: fresh.length, skipped: same.length };
    },
  };
}

function updateOf(
  row: number,
  { amount, currency: given, ...update }: OrderUpdateDraft,
  { orderId, memberId, currency }: KnownOrder,
  issues: IssueList,
): OrderUpdate | null {
  const refuse = (column: string, rule: string): null => {
    noteIssue(issues, { row, column, code: 'INVALID_VALUE', message: `${column} ${rule}.` });
    return null;
  };
  if (given !== null && given !== currency) return refuse('currency', "must be the order's, or empty");
  const amountMinor = amount === null ? null : minorOf(amount, currency);
  if (amount !== null && amountMinor === null) return refuse('amount', decimalsRule(currency));
  return { ...update, orderId, memberId, amountMinor };
}

/** Records an issue for each correction whose amount is above the order's first amount. */
async function noteHighAmounts(ctx: Context, { facts, rows }: UpdateFile, issues: IssueList): Promise<void> {
  const withAmounts = facts.filter(({ amountMinor }) => amountMinor !== null);
  const orders = [...new Map(withAmounts.map((update) => [update.orderId, update])).values()];
  const highest = await firstAmounts(ctx, orders);
  const message = 'amount must be at most the amount that the order was imported with.';
  for (const [at, { orderId, amountMinor }] of facts.entries()) {
    if (amountMinor !== null && amountMinor > (highest.get(orderId) ?? 0n))
      noteIssue(issues, { row: rows[at]!, column: 'amount', code: 'INVALID_VALUE', message });
  }
}
