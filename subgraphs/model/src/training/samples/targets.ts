import type { TrainingTask } from '../measures/training-request.ts';

const KEY = /^[A-Za-z0-9._:-]{1,64}$/;
const KEYS_MIN = 2;
const KEYS_MAX = 10;
const SEPARATOR = '|';

/** What is wrong with a target, to complete the sentence that its column begins; null where nothing is. */
export function targetIssue(task: TrainingTask, target: string): string | null {
  if (task === 'return' || task === 'tier') return /^[01]$/.test(target) ? null : 'must be 0 or 1';
  if (task === 'item')
    return KEY.test(target) ? null : 'must be one key of 1 to 64 of the characters A-Z a-z 0-9 . _ : -';
  const keys = target.split(SEPARATOR);
  if (!keys.every((key) => KEY.test(key)))
    return 'must be keys of 1 to 64 of the characters A-Z a-z 0-9 . _ : - with | between them';
  if (new Set(keys).size < keys.length) return 'names a key twice';
  if (keys.some((key, place) => place > 0 && key < keys[place - 1]!)) return 'must have its keys in order';
  const isFew = keys.length >= KEYS_MIN && keys.length <= KEYS_MAX;
  return isFew ? null : `must have ${KEYS_MIN} to ${KEYS_MAX} keys`;
}

/** The keys of a basket. */
export const keysOf = (target: string): readonly string[] => target.split(SEPARATOR);
