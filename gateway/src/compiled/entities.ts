import type { Data, Path } from './run.ts';

type PlanPath = readonly (string | number)[];

/** The objects at a path of a plan, in order; `@` steps into each element of a list, nulls are left out. */
export function objectsAt(data: Data, path: PlanPath): Data[] {
  const found: Data[] = [];
  collect(data, path, 0, found);
  return found;
}

function collect(value: unknown, path: PlanPath, from: number, found: Data[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const next = path[from] === '@' ? from + 1 : from;
    for (const element of value) collect(element, path, next, found);
  } else if (from === path.length) found.push(value as Data);
  else collect((value as Data)[path[from]!], path, from + 1, found);
}

/** The paths of what `objectsAt` finds, in the same order; only errors need them. */
export function pathsAt(data: Data, path: PlanPath): Path[] {
  const found: Path[] = [];
  collectPaths(data, path, 0, [], found);
  return found;
}

function collectPaths(value: unknown, path: PlanPath, from: number, at: Path, found: Path[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const next = path[from] === '@' ? from + 1 : from;
    value.forEach((element, index) => {
      collectPaths(element, path, next, [...at, index], found);
    });
  } else if (from === path.length) found.push(at);
  else {
    const key = path[from]!;
    collectPaths((value as Data)[key], path, from + 1, [...at, key], found);
  }
}
