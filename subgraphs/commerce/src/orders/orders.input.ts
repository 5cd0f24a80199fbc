import { createHash } from 'node:crypto';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { checkEmail } from '@loyalty/platform/base/email';
import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText } from '@loyalty/platform/base/input';
import { inputRule } from '@loyalty/platform/base/input-rules';
import { bigintAsText, checkAmount, checkCurrency } from '../money.ts';
import { optionalText } from '../optional-text.ts';
import { checkId, checkItems, type OrderItem, type OrderItemInput } from './order-items.ts';

type Text = string | null | undefined;

type Amount = number | bigint | null | undefined;

type NewOrderStatus = 'PLACED' | 'PAID' | 'FULFILLED' | 'CANCELLED';

/** An order as a client sends it. Amounts are in minor units. */
export interface OrderInput {
  readonly externalOrderId: string;
  readonly memberId?: Text;
  readonly memberEmail?: Text;
  readonly memberExternalId?: Text;
  readonly storeId?: Text;
  readonly occurredAt: Date;
  readonly currency: string;
  readonly total: number | bigint;
  readonly subtotal?: Amount;
  readonly discount?: Amount;
  readonly tax?: Amount;
  readonly shipping?: Amount;
  readonly status?: NewOrderStatus | null | undefined;
  readonly couponId?: Text;
  readonly items?: readonly OrderItemInput[] | null | undefined;
}

/** The reference of an order to its buyer; null for guests. */
export type Buyer = { readonly by: 'ID' | 'EMAIL' | 'EXTERNAL_ID'; readonly name: string } | null;

/** The input field of each kind of reference. */
const fields = { ID: 'memberId', EMAIL: 'memberEmail', EXTERNAL_ID: 'memberExternalId' } as const;

/** A validated order whose buyer is not looked up yet. */
export interface CheckedOrder {
  readonly externalOrderId: string;
  readonly buyer: Buyer;
  readonly storeId: string | null;
  readonly couponId: string | null;
  readonly status: NewOrderStatus;
  readonly currency: string;
  readonly totalMinor: bigint;
  readonly subtotalMinor: bigint | null;
  readonly discountMinor: bigint | null;
  readonly taxMinor: bigint | null;
  readonly shippingMinor: bigint | null;
  readonly items: readonly OrderItem[];
  readonly occurredAt: Date;
}

const EXTERNAL_ORDER_ID_LENGTH_MAX = 200;

/** Maximum time by which the clock of a shop may be ahead. */
const AHEAD_MAX_MS = 5 * MINUTE_MS;

const EARLIEST = new Date('1970-01-01T00:00:00Z');

/**
 * Validates an order. Does not check that the parts of the total add up.
 *
 * @param prefix - of the paths of fields in errors, such as `input.`
 * @throws AppError VALIDATION_FAILED, INVALID_ID naming every wrong field
 */
export function checkOrder(prefix: string, input: OrderInput, now: Date): CheckedOrder {
  const part = (name: 'subtotal' | 'discount' | 'tax' | 'shipping') => {
    const amount = input[name];
    return amount === null || amount === undefined ? null : checkAmount(`${prefix}${name}`, amount);
  };
  return gathered((check) => ({
    externalOrderId: check(() => checkExternalOrderId(`${prefix}externalOrderId`, input.externalOrderId)),
    buyer: check(() => checkBuyer(prefix, input)),
    storeId: check(() => checkId(`${prefix}storeId`, input.storeId)),
    couponId: check(() => checkId(`${prefix}couponId`, input.couponId)),
    status: input.status ?? 'PAID',
    currency: check(() => checkCurrency(`${prefix}currency`, input.currency)),
    totalMinor: check(() => checkAmount(`${prefix}total`, input.total)),
    subtotalMinor: check(() => part('subtotal')),
    discountMinor: check(() => part('discount')),
    taxMinor: check(() => part('tax')),
    shippingMinor: check(() => part('shipping')),
    items: check(() => checkItems(`${prefix}items`, input.items)),
    occurredAt: check(() => checkOccurredAt(`${prefix}occurredAt`, input.occurredAt, now)),
  }));
}

export const checkExternalOrderId = (field: string, id: string): string =>
  checkText(field, id.toWellFormed(), EXTERNAL_ORDER_ID_LENGTH_MAX);

function checkOccurredAt(field: string, at: Date, now: Date): Date {
  if (at > addMs(now, AHEAD_MAX_MS)) throw invalid(field, inputRule('PAST', 'must not be in the future'));
  if (at < EARLIEST) throw invalid(field, 'must not be before 1970');
  return at;
}

function checkBuyer(prefix: string, { memberId, memberEmail, memberExternalId }: OrderInput): Buyer {
  const id = checkId(`${prefix}memberId`, memberId);
  const email = memberEmail?.trim() ? checkEmail(`${prefix}memberEmail`, memberEmail) : null;
  const externalId = optionalText(`${prefix}memberExternalId`, memberExternalId, 200);
  const [buyer, second] = [
    ...(id ? [{ by: 'ID', name: id } as const] : []),
    ...(email ? [{ by: 'EMAIL', name: email } as const] : []),
    ...(externalId ? [{ by: 'EXTERNAL_ID', name: externalId } as const] : []),
  ];
  if (second)
    throw invalid(
      `${prefix}${fields[second.by]}`,
      'names the member a second time; send one of memberId, memberEmail and memberExternalId',
    );
  return buyer ?? null;
}

/**
 * SHA-256 of the fields that were sent. The same order sent again has the same fingerprint.
 *
 * @param buyer - the reference to the buyer; an e-mail address is replaced by its blind index, so that the
 * row reveals no address
 */
export function fingerprintOf({ buyer: _, ...order }: CheckedOrder, buyer: string): Buffer {
  const sorted = Object.entries({ ...order, buyer }).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted, bigintAsText)).digest();
}
