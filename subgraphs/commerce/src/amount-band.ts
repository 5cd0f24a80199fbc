import { z } from 'zod';
import { type Money, minorPerMajor } from './money.ts';

/** In major units. */
const bands = ['0-25', '25-50', '50-100', '100-250', '250-500', '500+'] as const;

/** The bounds between the bands. An amount equal to a bound belongs to the higher band. */
const bounds = [25n, 50n, 100n, 250n, 500n];

/** The schema of a band in the payload of events. */
export const amountBandSchema = z.enum(bands);

/**
 * The band of major units that an amount falls into. Events publish the band instead of the amount.
 *
 * @remarks Source: v2 REST API, section 2 "Webhook event", `data.amount_band`
 */
export function amountBand({ amountMinor, currency }: Money): (typeof bands)[number] {
  const major = minorPerMajor(currency);
  return bands[bounds.filter((bound) => amountMinor >= bound * major).length]!;
}
