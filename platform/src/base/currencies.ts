const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether the text is a currency code of ISO 4217 in capitals. */
export const isCurrency = (code: string): boolean => codes.has(code);

const digits = new Map<string, number>();

/** Decimals of the major unit of a currency: 2 for EUR, 0 for JPY, 3 for KWD, 2 for unknown codes. */
export function minorDigits(currency: string): number {
  let known = digits.get(currency);
  if (known === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    known = format.resolvedOptions().maximumFractionDigits ?? 2;
    digits.set(currency, known);
  }
  return known;
}
