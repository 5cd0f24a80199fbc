const SPREAD_MAX = 1e-10;
const STEPS_MAX = 4_000;

interface Minimum {
  readonly point: readonly number[];
  readonly value: number;
  /** True if the simplex shrank to the point; false if the steps ran out. */
  readonly hasConverged: boolean;
}

interface Corner {
  readonly point: readonly number[];
  readonly value: number;
}

/**
 * Minimises a function without derivatives by the simplex method of Nelder and Mead (1965). A simplex may
 * shrink too early, so the search restarts around the point found until it finds no better one.
 *
 * @param work - may be infinite where the function has no value
 * @param start - a point with a finite value, at which steps of a half are significant
 */
export function minimise(work: (point: readonly number[]) => number, start: readonly number[]): Minimum {
  let best = descend(work, start);
  for (;;) {
    const next = descend(work, best.point);
    const isBetter = best.value - next.value > SPREAD_MAX * Math.abs(best.value);
    if (next.value <= best.value) best = next;
    if (!isBetter || !next.hasConverged) return best;
  }
}

function descend(work: (point: readonly number[]) => number, start: readonly number[]): Minimum {
  const cornerAt = (point: readonly number[]): Corner => ({ point, value: work(point) });
  const moved = (index: number) => start.map((each, at) => (at === index ? each + 0.5 : each));
  const corners = [cornerAt(start), ...start.map((_, index) => cornerAt(moved(index)))];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    corners.sort((one, other) => one.value - other.value);
    if (isSmall(corners)) return { ...corners[0]!, hasConverged: true };
    const better = replacement(corners, cornerAt);
    if (better) corners[corners.length - 1] = better;
    else for (let at = 1; at < corners.length; at += 1) corners[at] = cornerAt(between(corners, at));
  }
  corners.sort((one, other) => one.value - other.value);
  return { ...corners[0]!, hasConverged: false };
}

/** Both the values and the corners are close to each other. */
function isSmall(corners: readonly Corner[]): boolean {
  const [first, last] = [corners[0]!, corners.at(-1)!];
  const reach = Math.max(
    ...corners.flatMap(({ point }) => point.map((p, at) => Math.abs(p - first.point[at]!))),
  );
  return reach < 1e-7 && last.value - first.value <= SPREAD_MAX * Math.abs(first.value);
}

/** Returns a corner to replace the worst one; null if all corners should move towards the best. */
function replacement(
  corners: readonly Corner[],
  cornerAt: (point: readonly number[]) => Corner,
): Corner | null {
  const [best, second, worst] = [corners[0]!, corners.at(-2)!, corners.at(-1)!];
  const others = corners.slice(0, -1);
  const centre = best.point.map(
    (_, at) => others.reduce((sum, { point }) => sum + point[at]!, 0) / others.length,
  );
  const along = (share: number) =>
    cornerAt(centre.map((each, at) => each + share * (each - worst.point[at]!)));
  const reflected = along(1);
  if (reflected.value < best.value) {
    const expanded = along(2);
    return expanded.value < reflected.value ? expanded : reflected;
  }
  if (reflected.value < second.value) return reflected;
  const contracted = along(reflected.value < worst.value ? 0.5 : -0.5);
  return contracted.value < Math.min(reflected.value, worst.value) ? contracted : null;
}

const between = (corners: readonly Corner[], at: number): number[] =>
  corners[at]!.point.map((each, index) => (each + corners[0]!.point[index]!) / 2);
