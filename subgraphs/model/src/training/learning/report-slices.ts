import type { ReportSlice, TrainingRun } from './training-run.ts';

/**
 * The held-out rows by the month of their date and by how many samples their entity has.
 *
 * @param figuresOf - of places within the held-out side
 */
export function reportSlices(
  { samples, split: { test } }: TrainingRun,
  figuresOf: (places: readonly number[]) => ReportSlice['figures'],
): ReportSlice[] {
  const counts = new Map<string, number>();
  for (const entity of samples.entities) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  const keys: Readonly<Record<string, (row: number) => string>> = {
    as_of: (row) => new Date(samples.asOf[row]!).toISOString().slice(0, 7),
    samples_of_entity: (row) => sizeName(counts.get(samples.entities[row]!)!),
  };
  return Object.entries(keys).flatMap(([by, keyOf]) => {
    const places = Map.groupBy(test.keys(), (place) => keyOf(test[place]!));
    return [...places]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, own]) => ({ by, name, rows: own.length, figures: figuresOf(own) }));
  });
}

function sizeName(samples: number): string {
  if (samples === 1) return '1';
  return samples < 5 ? '2 to 4' : '5 or more';
}
