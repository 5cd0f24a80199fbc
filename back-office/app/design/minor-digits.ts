/** Number of decimal digits of a currency: 2 for EUR, 0 for JPY. */
export const minorDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

export interface MinorAmount {
  readonly amountMinor: string | number;
  readonly currency: string;
}

/** An amount for a file, such as `12.50 EUR`. */
export function plainAmount({ amountMinor, currency }: MinorAmount): string {
  const digits = minorDigits(currency);
  return `${(Number(amountMinor) / 10 ** digits).toFixed(digits)} ${currency}`;
}
