/** Digits in groups, as people write long numbers. */
const GROUPED_DIGITS = /\d+(?:[ \-.]\d+)*/g;
const SOCIAL_SECURITY = /(?<![\d-])(?!000|666|9)\d{3}[- ](?!00)\d{2}[- ](?!0000)\d{4}(?![\d-])/;
const CARD_LENGTH_MIN = 14;
const CARD_LENGTH_MAX = 19;
/** Visa, Mastercard, American Express, Diners, JCB, Discover, Maestro, UnionPay. */
const ISSUERS = new RegExp(
  [
    String.raw`^4\d{15}(?:\d{3})?$|^5[1-5]\d{14}$|^2[2-7]\d{14}$|^3[47]\d{13}$`,
    String.raw`^3(?:0[0-5]|[689]\d)\d{11}$|^35\d{14,17}$|^6\d{15,18}$`,
  ].join('|'),
);

/** Whether a text contains something like a payment card number or a United States social security number. */
export const looksSensitive = (text: string): boolean => SOCIAL_SECURITY.test(text) || holdsCardNumber(text);

/** A card number may be next to other numbers, so every run of whole groups is tried. */
function holdsCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(GROUPED_DIGITS)) {
    const groups = run.split(/\D/);
    for (let start = 0; start < groups.length; start += 1) {
      let digits = '';
      for (const group of groups.slice(start)) {
        digits += group;
        if (digits.length > CARD_LENGTH_MAX) break;
        if (digits.length >= CARD_LENGTH_MIN && ISSUERS.test(digits) && passesLuhn(digits)) return true;
      }
    }
  }
  return false;
}

/** Checks the last digit of a card number (Luhn, ISO/IEC 7812). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Data that a workspace must not ask of its members; each pattern matches whole words of a key or a label.
 */
const DENIED = new RegExp(
  `\\b(?:${[
    'ssn|social security|passports?|cards?|credit card|cvv|cvc|iban|bank account|health|medical',
    String.raw`medication|diagnosis|diagnoses|disease|disability|disabled|pregnan\w*|hiv|blood type`,
    String.raw`religio\w*|faith|ethnic\w*|race|racial|politic\w*|sexual\w*|sex life|sex orientation`,
    String.raw`gender identity|trade union|union member\w*|biometric\w*|genetic\w*|fingerprints?`,
    String.raw`criminal\w*|convictions?|passwords?|pass code|pin|pin code|driver s? ?licen[cs]e`,
    'driving licen[cs]e|national id|tax id|immigration',
  ].join('|')})\\b`,
);

/** Whether the name of a field asks for sensitive personal data. */
export function asksForSensitive(name: string): boolean {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return DENIED.test(words);
}
