import type { Steps } from '../codegen/plan-path.ts';
import type { Data, Path } from './plan-run.ts';

/**
 * Returns the objects at a path of a plan, in order; `@` enters each element of a list, and nulls are
 * skipped.
 */
export function objectsAt(data: Data, steps: Steps): Data[] {
  const found: Data[] = [];
  collect(data, steps, 0, found);
  return found;
}

function collect(value: unknown, steps: Steps, from: number, found: Data[]): void {
  if (typeof value !== 'object' || value === null) return;
  const step = steps[from];
  if (Array.isArray(value)) {
    const next = step === '@' ? from + 1 : from;
    for (const element of value) collect(element, steps, next, found);
  } else if (step === undefined) found.push(value as Data);
  else if (typeof step === 'string') collect((value as Data)[step], steps, from + 1, found);
  else if (isOf(value as Data, step)) collect(value, steps, from + 1, found);
}

/** An object without a known type may have any type. */
const isOf = ({ __typename: type }: Data, types: ReadonlySet<string>): boolean =>
  type === undefined || types.has(type as string);

/** Returns the paths of the objects of `objectsAt`, in the same order. Needed only for errors. */
export function pathsAt(data: Data, steps: Steps): Path[] {
  const found: Path[] = [];
  collectPaths(data, steps, 0, [], found);
  return found;
}

function collectPaths(value: unknown, steps: Steps, from: number, at: Path, found: Path[]): void {
  if (typeof value !== 'object' || value === null) return;
  const step = steps[from];
  if (Array.isArray(value)) {
    const next = step === '@' ? from + 1 : from;
    value.forEach((element, index) => {
      collectPaths(element, steps, next, [...at, index], found);
    });
  } else if (step === undefined) found.push(at);
  else if (typeof step !== 'string') {
    if (isOf(value as Data, step)) collectPaths(value, steps, from + 1, at, found);
  } else collectPaths((value as Data)[step], steps, from + 1, [...at, step], found);
}

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null;

/** Merges the answer of another fetch into the same object; lists of equal length are merged by position. */
export function merge(target: Data, source: Data): void {
  for (const key of Object.keys(source)) {
    const added = source[key];
    const present = target[key];
    if (added === undefined || key === '__proto__' || added === present) continue;
    if (!isObject(added) || !isObject(present)) target[key] = added;
    else if (!Array.isArray(added)) merge(present, added);
    else if (Array.isArray(present) && present.length === added.length) mergeLists(present, added);
    else target[key] = added;
  }
}

function mergeLists(target: unknown[], source: readonly unknown[]): void {
  for (let i = 0; i < source.length; i += 1) {
    const added = source[i];
    const present = target[i];
    if (added === present) continue;
    if (Array.isArray(added) && Array.isArray(present) && added.length === present.length) {
      mergeLists(present, added);
    } else if (isObject(added) && isObject(present)) merge(present, added);
    else target[i] = added;
  }
}
