interface Month {
  /** The first day, YYYY-MM-DD. */
  readonly month: string;
  readonly value: number;
}

const SHOWN = 18;

/** Returns the next 18 months and the sum of the later ones, because no more bars fit on a screen. */
export function monthsShown(
  months: readonly { readonly month: string; readonly outstanding: string | number }[],
): { readonly months: readonly Month[]; readonly later: number } {
  const all = months.map(({ month, outstanding }) => ({ month, value: Number(outstanding) }));
  return {
    months: all.slice(0, SHOWN),
    later: all.slice(SHOWN).reduce((sum, { value }) => sum + value, 0),
  };
}
