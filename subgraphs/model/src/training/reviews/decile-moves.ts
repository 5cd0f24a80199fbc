/** How members, or samples, change places when one version takes the place of another. */
export interface DecileMoves {
  /** Members, or samples, that both versions score. */
  readonly compared: number;
  /** Those whose decile is another one. */
  readonly moved: number;
  /** Those who move by two deciles or more. */
  readonly movedFar: number;
  /** Counts by their decile in the published version, then by that in this one; the lowest scores first. */
  readonly matrix: number[][];
}

const DECILES = 10;

/** @param published - scores of the same members, in the same order */
export function decileMoves(scores: Float64Array, published: Float64Array): DecileMoves {
  const [now, before] = [decilesOf(scores), decilesOf(published)];
  const matrix = Array.from({ length: DECILES }, () => new Array<number>(DECILES).fill(0));
  let [moved, movedFar] = [0, 0];
  for (const [row, decile] of now.entries()) {
    const step = Math.abs(decile - before[row]!);
    matrix[before[row]!]![decile]! += 1;
    if (step >= 1) moved += 1;
    if (step >= 2) movedFar += 1;
  }
  return { compared: now.length, moved, movedFar, matrix };
}

/** Deciles from 0; equal scores share the decile of the first of them. */
function decilesOf(scores: Float64Array): Uint8Array {
  const ascending = Float64Array.from(scores).sort();
  const places = new Map<number, number>();
  for (const [place, score] of ascending.entries()) if (!places.has(score)) places.set(score, place);
  return Uint8Array.from(scores, (score) => Math.floor((DECILES * places.get(score)!) / scores.length));
}
