import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { inputRule, listAtMost } from '@loyalty/platform/base/input-rules';
import type { OpeningHours, Store, Weekday } from './stores.store.ts';

const HOURS_MAX = 50;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const weekdays: readonly Weekday[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
];

/**
 * Validates opening hours and sorts them by day and time. The periods of a day must not overlap. All times
 * have the same length, so they are compared as text.
 *
 * @throws AppError VALIDATION_FAILED naming the entry
 */
export function checkHours(field: string, hours: readonly OpeningHours[]): OpeningHours[] {
  if (hours.length > HOURS_MAX) throw invalid(field, listAtMost(HOURS_MAX, 'entries'));
  const entries = gathered((check) =>
    hours.map(({ weekday, opensAt, closesAt }, index) => {
      const path = `${field}.${index}`;
      const isTime = TIME.test(opensAt);
      check(() => {
        if (!isTime)
          throw invalid(`${path}.opensAt`, inputRule('TIME_OF_DAY', 'must be a time such as 09:30'));
      });
      check(() => {
        if (!TIME.test(closesAt) && closesAt !== '24:00')
          throw invalid(
            `${path}.closesAt`,
            inputRule('TIME_OF_DAY', 'must be a time such as 18:30, or 24:00'),
          );
        if (isTime && closesAt <= opensAt)
          throw invalid(`${path}.closesAt`, inputRule('END_BEFORE_START', 'must be later than opensAt'));
      });
      return { path, hours: { weekday, opensAt, closesAt }, place: weekdays.indexOf(weekday) };
    }),
  );
  entries.sort((a, b) => a.place - b.place || (a.hours.opensAt < b.hours.opensAt ? -1 : 1));
  for (const [index, { path, place, hours: own }] of entries.entries()) {
    const before = entries[index - 1];
    if (before?.place === place && before.hours.closesAt > own.opensAt)
      throw invalid(path, 'must not overlap other hours of the same day');
  }
  return entries.map((entry) => entry.hours);
}

/**
 * Whether the store is open; null if its hours or time zone are unknown. A store that is not active is
 * closed.
 */
export function isOpenAt({ status, hours, timeZone }: Store, now: Date): boolean | null {
  if (status !== 'ACTIVE') return false;
  if (hours.length === 0 || timeZone === null) return null;
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => local.find((each) => each.type === type)!.value;
  const today = part('weekday').toUpperCase();
  const time = `${part('hour')}:${part('minute')}`;
  return hours.some(
    ({ weekday, opensAt, closesAt }) => weekday === today && opensAt <= time && time < closesAt,
  );
}
