import { bgNbd } from './bg-nbd.ts';
import type { Calibrated } from './calibration.ts';
import type { Fit } from './fit.ts';

/** A published figure beside ours. */
export interface Comparison {
  readonly name: string;
  /** Text, so that its digits can be counted. */
  readonly published: string;
  readonly ours: number;
}

/** Weeks in the holdout. */
const AHEAD = 39;

/**
 * Published figures of the CDNOW sample: BG/NBD and Pareto/NBD by Fader, Hardie and Lee 2005; MBG/NBD by the
 * tests of the Python package lifetimes.
 */
const fitted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'BG/NBD': {
    r: '.243',
    alpha: '4.414',
    a: '.793',
    b: '2.426',
    'log-likelihood': '-9582.4',
    correlation: '.626',
  },
  'MBG/NBD': { r: '.525', alpha: '6.183', a: '.891', b: '1.614' },
  'Pareto/NBD': {
    r: '.553',
    alpha: '10.578',
    s: '.606',
    beta: '11.669',
    'log-likelihood': '-9595.0',
    correlation: '.630',
  },
};

/**
 * Whether our figure differs by more than 1 in the last printed digit. Counts were not rounded and must be
 * equal.
 */
export function isOff({ published, ours }: Comparison): boolean {
  const decimals = published.split('.')[1]?.length ?? 0;
  const apart = Math.abs(ours - Number(published));
  // Written so that NaN counts as a difference.
  return !(apart === 0 || (decimals > 0 && apart <= Number(`1e-${decimals}`)));
}

/** Counts the customers of the sample and their purchases. */
export function sampleFigures(customers: readonly Calibrated[]): Comparison[] {
  const silent = customers.filter(({ x }) => x === 0);
  const sum = (counts: readonly number[]) => counts.reduce((total, each) => total + each, 0);
  const x = customers.map((customer) => customer.x);
  const later = customers.map((customer) => customer.later);
  return [
    { name: 'customers', published: '2357', ours: customers.length },
    { name: 'customers without a repeat', published: '1411', ours: silent.length },
    { name: 'repeats in calibration', published: '2457', ours: sum(x) },
    { name: 'repeats in holdout', published: '1882', ours: sum(later) },
    { name: 'of those who had none', published: '334', ours: sum(silent.map((customer) => customer.later)) },
  ].map((each) => ({ ...each, name: `sample ${each.name}` }));
}

/** A model's parameters, its likelihood, and its expectations for the holdout beside the actual purchases. */
export function fitFigures({ model, parameters, logLikelihood }: Fit, customers: readonly Calibrated[]) {
  const expected = customers.map((each) => model.expectedPurchases(parameters, each, AHEAD));
  const ours: Record<string, number> = {
    ...Object.fromEntries(model.parameterNames.map((name, index) => [name, parameters[index]!])),
    'log-likelihood': logLikelihood,
    correlation: correlation(
      expected,
      customers.map(({ later }) => later),
    ),
  };
  return Object.entries(fitted[model.name] ?? {}).map(
    ([name, published]): Comparison => ({ name: `${model.name} ${name}`, published, ours: ours[name]! }),
  );
}

/** The example customer of the note on BG/NBD in a spreadsheet. */
export function exampleFigures(): Comparison[] {
  const parameters = [0.243, 4.414, 0.793, 2.426];
  const customer = { x: 2, tx: 30.43, t: 38.86 };
  return [
    {
      name: 'example purchases',
      published: '1.226',
      ours: bgNbd.expectedPurchases(parameters, customer, AHEAD),
    },
    { name: 'example alive chance', published: '.73', ours: bgNbd.aliveChance(parameters, customer) },
  ];
}

/** Pearson's correlation coefficient. */
function correlation(ones: readonly number[], others: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [m, n] = [mean(ones), mean(others)];
  const product = (f: readonly number[], a: number, g: readonly number[], b: number) =>
    f.reduce((sum, each, index) => sum + (each - a) * (g[index]! - b), 0);
  return product(ones, m, others, n) / Math.sqrt(product(ones, m, ones, m) * product(others, n, others, n));
}
