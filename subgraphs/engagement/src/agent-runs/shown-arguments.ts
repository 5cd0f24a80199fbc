import { isUuid } from '@loyalty/platform/base/ids';

/** Replaces a value that may contain personal data. */
const HIDDEN = '…';
const ENTRIES_MAX = 20;
/** Names that arguments of tools have. */
const NAME = /^[a-z]\w{0,63}$/;

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the arguments of a tool for the log. Ids, numbers, Booleans and lists of them stay. All other texts
 * are hidden, including dates and codes, because a birthday is a date, and a name may be written in capitals.
 * Objects are hidden completely, because callers choose their keys.
 */
export const shownArguments = (args: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(args)
      .slice(0, ENTRIES_MAX)
      .map(([name, value]) => [NAME.test(name) ? name : HIDDEN, shown(value)]),
  );

const shown = (value: unknown): unknown =>
  Array.isArray(value) ? value.slice(0, ENTRIES_MAX).map(shownValue) : shownValue(value);

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return isUuid(value) ? value : HIDDEN;
  return typeof value === 'object' && value !== null ? HIDDEN : value;
}
