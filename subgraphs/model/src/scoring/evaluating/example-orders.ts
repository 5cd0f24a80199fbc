import { DAY_MS } from '@loyalty/platform/clock';
import { seededRandom } from '../numerics/seeded-random.ts';

const CUSTOMERS = 1_500;
const FIRST_DAY = 19_723;
const DAYS = 540;
const SEED = 7;
/** Chance that a customer is gone after a purchase. */
const LEAVING = 0.06;
/** Deviation of the logarithm of intervals. */
const DEVIATION = 0.35;

/**
 * Orders of a known process as CSV: each customer buys at intervals of its own, 10 to 90 days, which vary by
 * a third, and leaves for good after any purchase with a chance of 6%. The same text each time.
 */
export function exampleOrders(): string {
  const random = seededRandom(SEED);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rows: string[] = [];
  for (let customer = 1; customer <= CUSTOMERS; customer += 1) {
    const interval = 10 + 80 * random();
    for (let day = random() * DAYS * 0.7; day < DAYS; day += interval * Math.exp(DEVIATION * normal())) {
      const date = new Date(Math.floor(FIRST_DAY + day) * DAY_MS).toISOString().slice(0, 10);
      rows.push(`c${customer},${date},${(10 + 40 * random()).toFixed(2)}`);
      if (random() < LEAVING) break;
    }
  }
  return ['customer,date,amount', ...rows, ''].join('\n');
}
