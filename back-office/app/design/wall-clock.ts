/** What a clock in a time zone shows at an instant, as native inputs hold it: YYYY-MM-DDTHH:MM. */
export function wallClockOf(at: string, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return shown.format(Date.parse(at)).replace(' ', 'T');
}

/** The instant at which a clock in a time zone shows that; of an hour that is skipped, the one after it. */
export function instantOf(wallClock: string, timeZone: string): string {
  const asUtc = Date.parse(`${wallClock}Z`);
  const aheadAt = (at: number): number =>
    Date.parse(`${wallClockOf(new Date(at).toISOString(), timeZone)}Z`) - at;
  const near = asUtc - aheadAt(asUtc);
  return new Date(asUtc - aheadAt(near)).toISOString();
}
