/**
 * SQL for the start of the quarter hour of an instant. Sums per quarter hour add up to days in every time
 * zone, because all UTC offsets are multiples of 15 minutes.
 */
export const quarterHourOf = (instant: string): string =>
  `date_bin('15 minutes', ${instant}, '1970-01-01T00:00:00Z'::timestamptz)`;

/** SQL for the day of an instant in a time zone, as YYYY-MM-DD. */
export const dayOf = (instant: string, timeZone: string): string =>
  `to_char(${instant} AT TIME ZONE ${timeZone}, 'YYYY-MM-DD')`;
