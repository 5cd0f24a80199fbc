/** The calendar day, YYYY-MM-DD, that an instant falls on in an IANA time zone. */
export const dayIn = (timeZone: string, instant: Date): string =>
  // Swedish dates are written as ISO 8601 writes them.
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant);
