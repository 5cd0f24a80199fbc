import { DAY_MS } from '@loyalty/platform/base/clock';
import { seededRandom } from '../numerics/seeded-random.ts';

const AS_OF = Date.parse('2026-01-01T00:00:00Z');

/** One row of a file of samples; a given cell replaces a valid one. */
export interface GivenSample {
  readonly sample_id?: string;
  readonly entity_id?: string;
  readonly as_of?: string;
  readonly label_end?: string;
  readonly target?: string;
  readonly events?: string;
}

/**
 * Returns a CSV file of members who buy as often as before: some weekly, some twice a year; with a horizon of
 * 30 days.
 */
export function alignmentCsv(
  rows = 900,
  given: Readonly<Record<number, GivenSample>> = {},
  { asOf = () => AS_OF }: { readonly asOf?: (row: number) => number } = {},
): string {
  const random = seededRandom(12);
  const lines = Array.from({ length: rows }, (_, index) => {
    const at = asOf(index);
    const mean = index % 2 === 0 ? 10 + 10 * random() : 60 + 100 * random();
    const times: number[] = [at - (1 + mean * random()) * DAY_MS];
    while (times.length < 12 && (times.length < 3 || at - times[0]! < 300 * DAY_MS))
      times.unshift(times[0]! - (1 - mean * Math.log(1 - random())) * DAY_MS);
    const chance = 1 - Math.exp(-30 / mean);
    const sample = {
      sample_id: `s-${index}`,
      entity_id: `e-${index}`,
      as_of: new Date(at).toISOString(),
      label_end: new Date(at + 30 * DAY_MS).toISOString(),
      target: random() < chance ? '1' : '0',
      events: JSON.stringify(times.map((ms) => [Math.floor(ms / 1_000), 'buy', 0, 0])),
      ...given[index + 1],
    };
    return Object.values(sample)
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(',');
  });
  return ['sample_id,entity_id,as_of,label_end,target,events', ...lines].join('\n');
}
