const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Is this a currency's code of ISO 4217, in capitals? */
export const isCurrency = (code: string): boolean => codes.has(code);

const digits = new Map<string, number>();

/** Decimals of the currency's major unit: 2 of EUR, 0 of JPY, 3 of KWD; 2 of unknown codes. */
export function minorDigits(currency: string): number {
  let known = digits.get(currency);
  if (known === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    known = format.resolvedOptions().maximumFractionDigits ?? 2;
    digits.set(currency, known);
  }
  return known;
}
