import { createHash } from 'node:crypto';
import { invalid, notFound, refusedField } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText } from '@loyalty/platform/base/input';
import { between, inputRule, listAtMost } from '@loyalty/platform/base/input-rules';
import { offsetsOf } from '@loyalty/platform/base/zoned-days';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { checkAmount, checkCurrency } from '../money.ts';
import { optionalText } from '../optional-text.ts';
import { findStore } from '../stores/stores.service.ts';
import type { ReceiptItem } from './receipt-text.ts';
import type { PurchaseFacts, Receipt } from './receipts.store.ts';

const MERCHANT_LENGTH_MAX = 120;
const ITEM_NAME_LENGTH_MAX = 120;
const ITEMS_MAX = 200;
const QUANTITY_MAX = 1_000_000;
const EARLIEST = '1970-01-01';

/**
 * The corrections of a reviewer. An absent field keeps the value that was read; null means that there is no
 * value.
 */
export interface CorrectionsInput {
  readonly merchant?: string | null | undefined;
  readonly currency?: string | null | undefined;
  readonly totalMinor?: number | bigint | null | undefined;
  readonly purchasedOn?: string | null | undefined;
  readonly storeId?: string | null | undefined;
  readonly items?:
    | readonly {
        readonly name: string;
        readonly quantity: number;
        readonly amountMinor: number | bigint;
      }[]
    | null
    | undefined;
}

/** The fields that differ from the receipt. */
export type Corrections = Partial<PurchaseFacts>;

/**
 * Validates corrections and returns the fields that differ from the receipt.
 *
 * @throws AppError VALIDATION_FAILED (400) naming every wrong field, STORE_NOT_FOUND (404), PEER_UNAVAILABLE
 * (503)
 */
export async function checkCorrections(
  ctx: Context,
  receipt: Receipt,
  input: CorrectionsInput | null | undefined,
): Promise<Corrections> {
  if (!input) return {};
  const today = input.purchasedOn ? await todayOf(ctx) : '';
  const { merchant, currency, totalMinor, purchasedOn, storeId, items } = input;
  const facts = gathered((check) => ({
    merchant:
      merchant == null
        ? merchant
        : check(() => optionalText('corrections.merchant', merchant, MERCHANT_LENGTH_MAX)),
    currency: currency && check(() => checkCurrency('corrections.currency', currency)),
    totalMinor:
      totalMinor == null ? totalMinor : check(() => checkAmount('corrections.totalMinor', totalMinor)),
    purchasedOn: purchasedOn && check(() => checkDay('corrections.purchasedOn', purchasedOn, today)),
    storeId: storeId?.toLowerCase() ?? storeId,
    items: items === undefined ? items : check(() => checkItems('corrections.items', items ?? [])),
  }));
  const changes = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && !isSame(receipt[name as keyof PurchaseFacts], value),
  );
  const changed: Corrections = Object.fromEntries(changes);
  if (changed.storeId && !(await findStore(ctx, changed.storeId)))
    throw refusedField(notFound('store', changed.storeId), 'corrections.storeId');
  return changed;
}

async function todayOf(ctx: Context): Promise<string> {
  const now = ctx.clock.now().getTime();
  return new Date(now + offsetsOf(await timeZoneOf(ctx))(now)).toISOString().slice(0, 10);
}

function checkDay(field: string, day: string, today: string): string {
  if (day > today) throw invalid(field, inputRule('PAST', 'must not be in the future'));
  if (day < EARLIEST) throw invalid(field, 'must not be before 1970');
  return day;
}

function checkItems(field: string, items: NonNullable<CorrectionsInput['items']>): readonly ReceiptItem[] {
  if (items.length > ITEMS_MAX) throw invalid(field, listAtMost(ITEMS_MAX, 'items'));
  return gathered((check) =>
    items.map(({ name, quantity, amountMinor }, at) => ({
      name: check(() => checkText(`${field}[${at}].name`, name.toWellFormed(), ITEM_NAME_LENGTH_MAX)),
      quantity: check(() => checkQuantity(`${field}[${at}].quantity`, quantity)),
      amountMinor: Number(check(() => checkAmount(`${field}[${at}].amountMinor`, amountMinor, -AMOUNT_MAX))),
    })),
  );
}

/** Lines of discounts are negative. */
const AMOUNT_MAX = 10n ** 15n;

function checkQuantity(field: string, quantity: number): number {
  if (quantity < 1 || quantity > QUANTITY_MAX) throw invalid(field, between(1, QUANTITY_MAX));
  return quantity;
}

const isSame = (one: unknown, other: unknown): boolean => factText(one) === factText(other);

/** Items are compared by value, because the database does not keep the order of JSON keys. */
function factText(fact: unknown): string {
  if (!Array.isArray(fact)) return String(fact);
  const items = fact as readonly ReceiptItem[];
  return JSON.stringify(items.map(({ name, quantity, amountMinor }) => [name, quantity, amountMinor]));
}

/**
 * The fingerprint of a purchase, computed from its store or merchant, day and total. Null if too little is
 * known to distinguish purchases.
 */
export function purchaseFingerprint(purchase: PurchaseFacts): string | null {
  const { storeId, merchant, purchasedOn, totalMinor, currency } = purchase;
  const place = storeId ?? merchant?.toLowerCase().replace(/[^\p{L}\d]/gu, '');
  if (!place || !purchasedOn || totalMinor === null) return null;
  const text = [place, purchasedOn, totalMinor, currency ?? ''].join('|');
  return `purchase:${createHash('sha256').update(text).digest('hex')}`;
}
