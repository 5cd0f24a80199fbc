import type { Data } from './plan-run.ts';

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null;

/** Merges the answer of another fetch about the same object; lists of equal length merge by position. */
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
