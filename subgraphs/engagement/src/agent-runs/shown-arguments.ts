import { isUuid } from '@loyalty/platform/base/ids';

/** Stands where a value was that may be about a person. */
const HIDDEN = '…';
const ENTRIES_MAX = 20;
/** Names that arguments of tools have. */
const NAME = /^[a-z]\w{0,63}$/;

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Arguments of a tool for the log: ids, numbers and flags stay, and lists of them. Every other text is left
 * out, a date and a code, too: a birthday is a date, and a name may be written in capitals. Objects are left
 * out as a whole, because callers choose their names.
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
