import { isCurrency, minorDigits } from '@loyalty/platform/base/currencies';
import { invalid } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';

/** An amount in whole minor units of its currency. */
export interface Money {
  readonly amountMinor: bigint;
  readonly currency: string;
}

export const moneyOf = (amountMinor: bigint, currency: string): Money => ({ amountMinor, currency });

/** Such an amount is exact as a JSON number, and a sum of thousands of them fits into 64 bits. */
const AMOUNT_MAX = 10n ** 15n;

/**
 * Validates an amount and returns it as a bigint.
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

/** Validates the code of a currency. @throws AppError VALIDATION_FAILED naming the field */
export function checkCurrency(field: string, code: string): string {
  if (!isCurrency(code)) throw invalid(field, inputRule('CURRENCY', 'must be an ISO 4217 code such as EUR'));
  return code;
}

/** Minor units in one major unit. */
export const minorPerMajor = (currency: string): bigint => 10n ** BigInt(minorDigits(currency));

/**
 * Returns an amount in major units as exact decimal text: 1250 of EUR is `12.50`. The amount is not negative.
 */
export function decimalOf(amountMinor: bigint, currency: string): string {
  const digits = minorDigits(currency);
  const text = String(amountMinor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A replacer for `JSON.stringify`: writes a bigint as text. */
export const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** A replacer for `JSON.stringify`: writes a bigint as a number, which is exact for every amount. */
export const bigintAsNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;
