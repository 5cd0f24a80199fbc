import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { between, inputRule } from '@loyalty/platform/base/input-rules';
import { checkTimeZone } from '@loyalty/platform/database/time-zone';
import { Temporal } from 'temporal-polyfill';

/** The times at which a schedule runs. */
export interface Cadence {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  /** HH:MM in the time zone. */
  readonly time: string;
  /** IANA time zone. */
  readonly timezone: string;
  /** For weekly schedules: 1 is Monday, 7 Sunday. */
  readonly weekday: number;
  /** For monthly schedules: 1 to 31; shorter months use their last day. */
  readonly monthDay: number;
  /** A due run trains nothing with fewer new samples. */
  readonly minNewSamples: number;
}

const MIN_NEW_SAMPLES_MAX = 100_000;

/** @throws AppError VALIDATION_FAILED (400) naming the field below `field` */
export function checkCadence(field: string, cadence: Cadence): Cadence {
  const { time, weekday, monthDay, minNewSamples } = cadence;
  const counts = [
    ['weekday', weekday, 7],
    ['monthDay', monthDay, 31],
    ['minNewSamples', minNewSamples, MIN_NEW_SAMPLES_MAX],
  ] as const;
  return gathered((check) => {
    check(() => {
      if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
        throw invalid(
          `${field}.time`,
          inputRule('TIME_OF_DAY', 'must be a time such as 02:30, from 00:00 to 23:59'),
        );
    });
    const timezone = check(() => checkTimeZone(`${field}.timezone`, cadence.timezone));
    for (const [name, value, most] of counts)
      check(() => {
        if (value < 1 || value > most) throw invalid(`${field}.${name}`, between(1, most));
      });
    return { ...cadence, timezone };
  });
}

/**
 * Returns the first run of a schedule after an instant. A local time that clocks skip becomes the first
 * minute after the gap; of a local time that occurs twice the first counts.
 *
 * @remarks Source: requirements M-SCH-02, M-SCH-07
 */
export function nextRun(cadence: Cadence, after: Date): Date {
  const from = Temporal.Instant.fromEpochMilliseconds(after.getTime());
  const today = from.toZonedDateTimeISO(cadence.timezone).toPlainDate();
  for (let place = 0; ; place += 1) {
    const run = instantOf(dayOf(cadence, today, place), cadence);
    if (run.epochMilliseconds > after.getTime()) return new Date(run.epochMilliseconds);
  }
}

/** Returns the day of the run in this period, or in the `place`-th period after it. */
function dayOf(
  { frequency, weekday, monthDay }: Cadence,
  today: Temporal.PlainDate,
  place: number,
): Temporal.PlainDate {
  if (frequency === 'DAILY') return today.add({ days: place });
  if (frequency === 'WEEKLY') return today.add({ days: weekday - today.dayOfWeek + 7 * place });
  const month = today.toPlainYearMonth().add({ months: place });
  return month.toPlainDate({ day: Math.min(monthDay, month.daysInMonth) });
}

function instantOf(day: Temporal.PlainDate, { time, timezone }: Cadence): Temporal.Instant {
  const wanted = day.toPlainDateTime(Temporal.PlainTime.from(time));
  const found = wanted.toZonedDateTime(timezone, { disambiguation: 'compatible' });
  if (found.toPlainDateTime().equals(wanted)) return found.toInstant();
  const before = wanted.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? found).toInstant();
}
