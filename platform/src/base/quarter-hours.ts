/**
 * SQL of the start of the quarter of an hour in which an instant lies. Sums by quarters of an hour add up to
 * the days of every time zone, since all of them are a multiple of 15 minutes from UTC.
 */
export const quarterHourOf = (instant: string): string =>
  `date_bin('15 minutes', ${instant}, '1970-01-01T00:00:00Z'::timestamptz)`;

/** SQL of the day of an instant in a time zone, as YYYY-MM-DD. */
export const dayOf = (instant: string, timeZone: string): string =>
  `to_char(${instant} AT TIME ZONE ${timeZone}, 'YYYY-MM-DD')`;
