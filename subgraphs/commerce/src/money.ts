import { isCurrency, minorDigits } from '@loyalty/platform/base/currencies';
import { invalid } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';

/** An amount in whole minor units of its currency. */
export interface Money {
  readonly amountMinor: bigint;
  readonly currency: string;
}

export const moneyOf = (amountMinor: bigint, currency: string): Money => ({ amountMinor, currency });

/** Exact as a JSON number, and thousands of amounts still add up to less than 64 bits. */
const AMOUNT_MAX = 10n ** 15n;

/**
 * An amount as it may be stored.
 *
 * @param amountMinor - whole minor units, `minimum` to 10^15
 * @throws AppError VALIDATION_FAILED naming the field
 */
export function checkAmount(field: string, amountMinor: number | bigint, minimum = 0n): bigint {
  const amount = BigInt(amountMinor);
  if (amount < minimum || amount > AMOUNT_MAX)
    throw invalid(
      field,
      inputRule('AMOUNT', `must be between ${minimum} and ${AMOUNT_MAX} minor units, such as cents`),
    );
  return amount;
}

/** A currency's code as it may be stored. @throws AppError VALIDATION_FAILED naming the field */
export function checkCurrency(field: string, code: string): string {
  if (!isCurrency(code)) throw invalid(field, inputRule('CURRENCY', 'must be an ISO 4217 code such as EUR'));
  return code;
}

/** Minor units in one major unit. */
export const minorPerMajor = (currency: string): bigint => 10n ** BigInt(minorDigits(currency));

/** An amount in major units, exactly: 1250 of EUR is `12.50`. Not negative. */
export function decimalOf(amountMinor: bigint, currency: string): string {
  const digits = minorDigits(currency);
  const text = String(amountMinor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** For `JSON.stringify`, which knows no bigint: writes it as text. */
export const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** For `JSON.stringify`: writes a bigint as a number, which is exact for every amount. */
export const bigintAsNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;
