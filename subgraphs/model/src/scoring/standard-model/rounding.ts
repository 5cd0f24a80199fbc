const SCALE = 1_000_000;

/** To 6 decimals, as clients receive scores and evidence. */
export const roundedScore = (value: number): number => Math.round(value * SCALE) / SCALE;
