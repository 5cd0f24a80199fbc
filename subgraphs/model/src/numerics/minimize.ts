/** A smooth function: writes its gradient and returns its value. */
export type SmoothFunction = (at: Float64Array, slope: Float64Array) => number;

const MEMORY = 8;
const ROUNDS_MAX = 80;
const HALVINGS_MAX = 25;
/** The search ends when the value decreases by a smaller share. */
const DECREASE_MIN = 1e-7;
const ARMIJO = 1e-4;

interface Move {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly scale: number;
}

/**
 * Minimises a convex function of many numbers by L-BFGS with step halving.
 *
 * @returns the point of the least value that was found
 * @remarks Source: Nocedal and Wright, Numerical Optimization, algorithms 7.4 and 7.5
 */
export function minimizeSmooth(from: Float64Array, of: SmoothFunction): Float64Array {
  let at = Float64Array.from(from);
  let slope = new Float64Array(at.length);
  let value = of(at, slope);
  const moves: Move[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const direction = descent(slope, moves);
    const fall = dot(direction, slope);
    if (!(fall < 0)) break;
    const length = moves.length === 0 ? Math.min(1, 1 / Math.sqrt(dot(slope, slope))) : 1;
    const found = steppedDown(of, at, value, { direction, fall, length });
    if (!found) break;
    const step = Float64Array.from(found.at, (each, place) => each - at[place]!);
    const change = Float64Array.from(found.slope, (each, place) => each - slope[place]!);
    const product = dot(step, change);
    if (product > 0) moves.push({ step, change, scale: 1 / product });
    if (moves.length > MEMORY) moves.shift();
    const isDone = value - found.value <= DECREASE_MIN * Math.abs(found.value);
    ({ at, slope, value } = found);
    if (isDone) break;
  }
  return at;
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place += 1) sum += one[place]! * other[place]!;
  return sum;
}

interface Line {
  readonly direction: Float64Array;
  /** Directional derivative. */
  readonly fall: number;
  /** Length of the first step. */
  readonly length: number;
}

function steppedDown(of: SmoothFunction, from: Float64Array, value: number, line: Line) {
  const slope = new Float64Array(from.length);
  let length = line.length;
  for (let halving = 0; halving <= HALVINGS_MAX; halving += 1) {
    const at = Float64Array.from(from, (each, place) => each + length * line.direction[place]!);
    const next = of(at, slope);
    if (next <= value + ARMIJO * length * line.fall) return { at, slope, value: next };
    length /= 2;
  }
  return null;
}

/** Returns the descent direction of L-BFGS: the negative gradient, transformed by the known curvature. */
function descent(slope: Float64Array, moves: readonly Move[]): Float64Array<ArrayBuffer> {
  const direction = Float64Array.from(slope, (each) => -each);
  const add = (move: Float64Array, factor: number) => {
    for (let place = 0; place < direction.length; place += 1) direction[place]! += factor * move[place]!;
  };
  const factors = moves.map(() => 0);
  for (let place = moves.length - 1; place >= 0; place -= 1) {
    const { step, change, scale } = moves[place]!;
    factors[place] = scale * dot(step, direction);
    add(change, -factors[place]!);
  }
  const last = moves.at(-1);
  if (last) {
    const scale = 1 / (last.scale * dot(last.change, last.change));
    for (let place = 0; place < direction.length; place += 1) direction[place]! *= scale;
  }
  moves.forEach(({ step, change, scale }, place) => {
    add(step, factors[place]! - scale * dot(change, direction));
  });
  return direction;
}
