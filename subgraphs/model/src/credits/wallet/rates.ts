/**
 * Prices in credits; 10,000 credits are USD 1.
 *
 * @remarks Source: model API, section 2 "Credits and billing"
 */
export const rates = {
  /** One newly accepted valid behavioral event. */
  event: 1,
  /** One member by objective score. */
  score: 10,
  /** An API response with actionable recommendations. */
  decision: 50,
} as const;

export const CREDITS_PER_USD_CENT = 100;
