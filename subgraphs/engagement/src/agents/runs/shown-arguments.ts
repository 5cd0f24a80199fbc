import { isUuid } from '@loyalty/platform/values/ids';

/** Stands where a text was that may be about a person. */
const HIDDEN = '…';
const ENTRIES_MAX = 20;
const DEPTH_MAX = 3;
/** Codes such as `ACTIVE`, dates and scopes. */
const CODE = /^[A-Z][A-Z0-9_]{0,40}$|^\d{4}-\d{2}-\d{2}$/;

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments of a tool for the log: ids, numbers, flags and codes stay, other texts are left out. */
export function shownArguments(args: Arguments): Arguments {
  return shownObject(args, 0);
}

const shownObject = (value: object, depth: number): Arguments =>
  Object.fromEntries(
    Object.entries(value)
      .slice(0, ENTRIES_MAX)
      .map(([name, each]) => [/^\w{1,64}$/.test(name) ? name : HIDDEN, shown(each, depth + 1)]),
  );

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return isUuid(value) || CODE.test(value) ? value : HIDDEN;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return HIDDEN;
  return Array.isArray(value)
    ? value.slice(0, ENTRIES_MAX).map((each) => shown(each, depth + 1))
    : shownObject(value, depth);
}
