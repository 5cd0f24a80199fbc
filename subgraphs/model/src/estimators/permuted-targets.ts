import { seededRandom } from '../numerics/seeded-random.ts';
import { readSampleTable, writeSampleTable } from './sample-table.ts';

/** Permutes the targets of the samples (Fisher and Yates), so that features cannot predict them. */
export function permutedTargets(content: string, seed: number): string {
  const { header, rows } = readSampleTable(content);
  const column = header.indexOf('target');
  const targets = rows.map(({ cells }) => cells[column]!);
  const random = seededRandom(seed);
  for (let last = targets.length - 1; last > 0; last -= 1) {
    const place = Math.floor(random() * (last + 1));
    [targets[last], targets[place]] = [targets[place]!, targets[last]!];
  }
  return writeSampleTable(
    header,
    rows.map(({ cells }, row) => cells.with(column, targets[row]!)),
  );
}
