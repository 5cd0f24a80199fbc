import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { isUuid } from '@loyalty/platform/base/ids';
import { between, listAtMost, uuid } from '@loyalty/platform/base/input-rules';
import { checkAmount } from '../money.ts';
import { optionalText } from '../optional-text.ts';

/** One line of an order, as it is stored. */
export interface OrderItem {
  readonly productId: string | null;
  readonly externalProductId: string | null;
  readonly sku: string | null;
  readonly name: string | null;
  readonly quantity: number;
  /** Exact: at most 10^15. */
  readonly unitPriceMinor: number;
}

/** A line with the currency that its price is in. */
export interface PricedItem extends OrderItem {
  readonly currency: string;
}

/** What a client says about a line. */
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
 * Lines as they may be stored.
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
  // In this order: a fingerprint is made of it.
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

/** A UUID in lower case, as the database returns it; null where none was given. */
export function checkId(field: string, id: string | null | undefined): string | null {
  if (id === null || id === undefined) return null;
  if (!isUuid(id)) throw invalid(field, uuid, 'INVALID_ID');
  return id.toLowerCase();
}

/** Lines as the earning rules see them. */
export const earningItems = (items: readonly OrderItem[]) =>
  items.map(({ productId, externalProductId, quantity, unitPriceMinor }) => ({
    productId,
    externalProductId,
    amountMinor: BigInt(unitPriceMinor) * BigInt(quantity),
  }));
