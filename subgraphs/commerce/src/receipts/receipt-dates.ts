import { addMs, DAY_MS } from '@loyalty/platform/base/clock';

/** The day that is printed on a receipt. */
interface PrintedDate {
  /** YYYY-MM-DD; the more likely of two days if `isAmbiguous`. */
  readonly day: string;
  /** Day and month may be swapped, and the receipt does not show which is right. */
  readonly isAmbiguous: boolean;
}

type Order = 'DMY' | 'MDY';

/** Maximum age. An older day is probably a misread year: no programme accepts such old receipts. */
const AGE_MAX_DAYS = 730;
const ISO = /(?<!\d)(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g;
const NUMERIC = /(?<![\d.,])(\d{1,2})([-/.])(\d{1,2})\2(20\d\d|\d\d)(?!\d)/g;
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[ .-]*(?:de )?([a-zç]{3,9})\.?,?[ -]*(?:de )?(20\d\d|\d\d)(?!\d)/gi;
const MONTH_FIRST = /\b([a-z]{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?,? ?(20\d\d)(?!\d)/gi;

/** First three letters of the months in English, Portuguese, Spanish, French, German and Italian. */
const months = [
  'jan ene gen',
  'feb fev fév',
  'mar mär mrz',
  'apr abr avr',
  'may mai mag',
  'jun jui giu',
  'jul lug',
  'aug ago aoû',
  'sep set',
  'oct out okt ott',
  'nov',
  'dec dez dic déc',
].map((names) => names.split(' '));

/** The order of day and month where a currency is used; null where both orders are usual. */
const orders: Readonly<Record<string, Order | null>> = { USD: 'MDY', CAD: null, PHP: 'MDY' };
function orderOf(currency: string | null): Order | null {
  if (currency === null) return null;
  return Object.hasOwn(orders, currency) ? orders[currency]! : 'DMY';
}

/**
 * Finds the day of purchase: in the first line that also has a time or the word date, else in the first line
 * with a day. Days in the future and days that are too old are skipped.
 *
 * @param currency - decides whether 3/4 is 3 April or, as in the United States, 4 March
 */
export function dateIn(lines: readonly string[], currency: string | null, now: Date): PrintedDate | null {
  const found = lines.flatMap((line) =>
    datesOf(line, currency, now).map((date) => ({ date, isLikely: /\d{1,2}:\d\d|\bdat[aeu]/i.test(line) })),
  );
  return (found.find(({ isLikely }) => isLikely) ?? found[0])?.date ?? null;
}

function datesOf(line: string, currency: string | null, now: Date): PrintedDate[] {
  const certain = [
    ...[...line.matchAll(ISO)].map(([, year, month, day]) => dayOf(year!, Number(month), day!)),
    ...[...line.matchAll(DAY_FIRST)].map(([, day, name, year]) => dayOf(year!, monthOf(name!), day!)),
    ...[...line.matchAll(MONTH_FIRST)].map(([, name, day, year]) => dayOf(year!, monthOf(name!), day!)),
  ]
    .filter((day) => day !== null)
    .filter((day) => isPlausible(day, now))
    .map((day) => ({ day, isAmbiguous: false }));
  const numeric = [...line.matchAll(NUMERIC)].map((match) => ofNumbers(match, currency, now));
  return [...certain, ...numeric.filter((date) => date !== null)];
}

function ofNumbers(match: RegExpMatchArray, currency: string | null, now: Date): PrintedDate | null {
  const [, first = '', mark, second = '', year = ''] = match;
  const read: Record<Order, string | null> = {
    DMY: dayOf(year, Number(second), first),
    MDY: dayOf(year, Number(first), second),
  };
  const order = mark === '.' ? 'DMY' : orderOf(currency);
  const likely = (['DMY', 'MDY'] as const).filter((each) => read[each] && isPlausible(read[each], now));
  if (likely.length === 0) return null;
  const day = read[order && likely.includes(order) ? order : likely[0]!]!;
  return { day, isAmbiguous: order === null && likely.length === 2 && read.DMY !== read.MDY };
}

function monthOf(name: string): number {
  const start = name.toLowerCase().slice(0, 3);
  return name.toLowerCase().startsWith('juil') ? 7 : months.findIndex((names) => names.includes(start)) + 1;
}

function dayOf(year: string, month: number, day: string): string | null {
  const fullYear = year.length === 2 ? `20${year}` : year;
  const iso = `${fullYear}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso;
}

/** Tomorrow is allowed, because it is already tomorrow in some time zone. */
function isPlausible(day: string, now: Date): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return date <= addMs(now, DAY_MS) && date >= addMs(now, -AGE_MAX_DAYS * DAY_MS);
}
