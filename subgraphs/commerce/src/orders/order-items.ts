import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { isUuid } from '@loyalty/platform/base/ids';
import { between, listAtMost, uuid } from '@loyalty/platform/base/input-rules';
import { checkAmount } from '../money.ts';
import { optionalText } from '../optional-text.ts';

/** A stored line of an order. */
export interface OrderItem {
  readonly productId: string | null;
  readonly externalProductId: string | null;
  readonly sku: string | null;
  readonly name: string | null;
  readonly quantity: number;
  /** At most 10^15, so a number is exact. */
  readonly unitPriceMinor: number;
}

/** A line with the currency of its price. */
export interface PricedItem extends OrderItem {
  readonly currency: string;
}

/** A line as a client sends it. */
export interface OrderItemInput {
  readonly productId?: string | null | undefined;
  readonly externalProductId?: string | null | undefined;
  readonly sku?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly quantity: number;
  readonly unitPrice: number | bigint;
}

const ITEMS_MAX = 500;
const QUANTITY_MAX = 1_000_000;

/**
 * Validates lines and returns them as they are stored.
 *
 * @throws AppError VALIDATION_FAILED, INVALID_ID naming the field
 */
export function checkItems(
  field: string,
  items: readonly OrderItemInput[] | null | undefined,
): readonly OrderItem[] {
  const lines = items ?? [];
  if (lines.length > ITEMS_MAX) throw invalid(field, listAtMost(ITEMS_MAX, 'items'));
  return gathered((check) => lines.map((item, index) => check(() => checkItem(`${field}[${index}]`, item))));
}

function checkItem(field: string, item: OrderItemInput): OrderItem {
  const { productId, externalProductId, sku, name, quantity, unitPrice } = item;
  if (!productId && !externalProductId && !sku && !name)
    throw invalid(field, 'must have a productId, an externalProductId, a sku or a name');
  // The order of the keys matters: the fingerprint is computed from the JSON text.
  return gathered((check) => {
    check(() => checkQuantity(`${field}.quantity`, quantity));
    return {
      productId: check(() => checkId(`${field}.productId`, productId)),
      externalProductId: check(() => optionalText(`${field}.externalProductId`, externalProductId, 200)),
      sku: check(() => optionalText(`${field}.sku`, sku, 200)),
      name: check(() => optionalText(`${field}.name`, name, 500)),
      quantity,
      unitPriceMinor: Number(check(() => checkAmount(`${field}.unitPrice`, unitPrice))),
    };
  });
}

function checkQuantity(field: string, quantity: number): void {
  if (quantity < 1 || quantity > QUANTITY_MAX) throw invalid(field, between(1, QUANTITY_MAX));
}

/** Validates a UUID and returns it in lower case, as the database does; null if it is absent. */
export function checkId(field: string, id: string | null | undefined): string | null {
  if (id === null || id === undefined) return null;
  if (!isUuid(id)) throw invalid(field, uuid, 'INVALID_ID');
  return id.toLowerCase();
}

/** The lines of an order in the form that the earning rules use. */
export const earningItems = (items: readonly OrderItem[]) =>
  items.map(({ productId, externalProductId, quantity, unitPriceMinor }) => ({
    productId,
    externalProductId,
    amountMinor: BigInt(unitPriceMinor) * BigInt(quantity),
  }));
