import { DAY_MS } from '@loyalty/platform/clock';

/** 0 for times that are unknown or not yet there. */
export const daysSince = (at: number, cutoffMs: number): number =>
  Number.isNaN(at) ? 0 : Math.max((cutoffMs - at) / DAY_MS, 0);
