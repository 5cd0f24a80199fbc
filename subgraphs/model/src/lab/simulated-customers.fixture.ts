const { cos, exp, imul, log, log1p, min, sqrt, PI } = Math;

/** Returns pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;

const exponential = (random: Random, rate: number): number => -log1p(-random()) / rate;

/** Normal variates by Box and Muller. */
const normal = (random: Random): number => sqrt(-2 * log1p(-random())) * cos(2 * PI * random());

/** Gamma variates by Marsaglia and Tsang; shapes below 1 are derived from a shape above 1. */
function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * exp(log1p(-random()) / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal(random);
    const root = 1 + x / sqrt(9 * d);
    const v = root * root * root;
    if (root > 0 && log1p(-random()) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

function beta(random: Random, a: number, b: number): number {
  const [one, other] = [gamma(random, a), gamma(random, b)];
  return one / (one + other);
}

/** A customer observed for a while, with the purchases in the time after it. */
interface SimulatedCustomer {
  readonly x: number;
  readonly tx: number;
  readonly t: number;
  readonly later: number;
}

interface Simulation {
  readonly seed: number;
  readonly size: number;
  /** Shortest and longest observation. */
  readonly watched: readonly [from: number, to: number];
  readonly ahead: number;
}

/** The way a customer leaves: at a time, or at the index of a purchase, from 0 for the first. */
interface Stay {
  readonly lifetime: number;
  readonly leavesAt: (purchase: number) => boolean;
}

/** Simulates the purchases of customers who buy at individual rates until they leave. */
function simulate(
  { seed, size, watched: [from, to], ahead }: Simulation,
  [r, alpha]: readonly [number, number],
  stayOf: (random: Random) => Stay,
): SimulatedCustomer[] {
  const random = randomOf(seed);
  return Array.from({ length: size }, () => {
    const t = from + random() * (to - from);
    const rate = gamma(random, r) / alpha;
    const { lifetime, leavesAt } = stayOf(random);
    const customer = { x: 0, tx: 0, t, later: 0 };
    let time = 0;
    for (let purchase = 0; !leavesAt(purchase); purchase += 1) {
      time += exponential(random, rate);
      if (time > min(t + ahead, lifetime)) break;
      if (time <= t) Object.assign(customer, { x: customer.x + 1, tx: time });
      else customer.later += 1;
    }
    return customer;
  });
}

/** BG/NBD: a customer may leave after each repeat purchase. */
export const simulateBgNbd = (simulation: Simulation, [r, alpha, a, b]: readonly number[]) =>
  simulate(simulation, [r!, alpha!], (random) => {
    const chance = beta(random, a!, b!);
    return { lifetime: Number.POSITIVE_INFINITY, leavesAt: (purchase) => purchase > 0 && random() < chance };
  });

/** MBG/NBD: a customer may leave after each purchase. */
export const simulateMbgNbd = (simulation: Simulation, [r, alpha, a, b]: readonly number[]) =>
  simulate(simulation, [r!, alpha!], (random) => {
    const chance = beta(random, a!, b!);
    return { lifetime: Number.POSITIVE_INFINITY, leavesAt: () => random() < chance };
  });

/** Pareto/NBD: every customer leaves at some time. */
export const simulateParetoNbd = (simulation: Simulation, [r, alpha, s, b]: readonly number[]) =>
  simulate(simulation, [r!, alpha!], (random) => {
    const lifetime = exponential(random, gamma(random, s!) / b!);
    return { lifetime, leavesAt: () => false };
  });
