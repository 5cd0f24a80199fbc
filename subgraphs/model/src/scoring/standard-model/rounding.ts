const SCALE = 1_000_000;

/** To 6 decimals, as scores and evidence are told. */
export const roundedScore = (value: number): number => Math.round(value * SCALE) / SCALE;
