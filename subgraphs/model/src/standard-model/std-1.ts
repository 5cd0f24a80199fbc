/**
 * All parameters of the first version of the standard model. Other values need a new version.
 *
 * r, alpha, a and b are those of MBG/NBD in days (Batislam, Denizel and Filiztekin 2007). They were fitted
 * once by maximum likelihood to four sets of purchases with equal weight, three calibration ends each: CDNOW,
 * a grocer, an apparel seller and an online retailer. The product does not include those sets, but `npm run
 * model -- fit --equal-weight` does the same with other ones. The parameters are frozen: no workspace's data
 * changes the scores of another workspace.
 */
export const std1 = {
  version: 'std-1',
  model: 'MBG/NBD',
  timeUnit: 'days',
  r: 0.5165,
  alpha: 43.19,
  a: 0.5879,
  b: 3.1348,
  /** With fewer repeat purchase days a score depends mostly on other members' habits. */
  repeatsMin: 2,
  observedDaysMin: 28,
  gapDaysMax: 730,
  browsing: { eventsMin: 3, sessionsPrior: 20, scoreMax: 0.5 },
  cart: {
    /** Weight of the pooled rate, in cart additions. */
    prior: 10,
    pooledRate: 0.5,
    pooledPrior: 20,
    halfLifeDays: 30,
    addsMin: 5,
    quietDaysMax: 90,
  },
} as const;
