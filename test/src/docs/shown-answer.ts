/** Stands for further keys or further items in an answer that a page shows. */
const MORE = '…';

/**
 * Compares an answer with what a page shows of it: keys and types, and the values of numbers, booleans and
 * words in upper case, which readers take as they are. Other text differs each time. A key `…` and an item `…`
 * stand for all that are not shown.
 *
 * @returns one line for each difference, with its path
 */
export function differences(shown: unknown, given: unknown, path = '$'): string[] {
  if (kindOf(shown) !== kindOf(given))
    return [`${path}: ${show(shown)} is shown, ${show(given)} was answered`];
  if (Array.isArray(shown)) return differencesOfItems(shown, given as unknown[], path);
  if (typeof shown === 'object' && shown !== null)
    return differencesOfKeys(shown as Shown, given as Shown, path);
  const isExact = typeof shown !== 'string' || isWord(shown) || isWord(given as string);
  return !isExact || shown === given ? [] : [`${path}: ${show(shown)} is shown, ${show(given)} was answered`];
}

type Shown = Record<string, unknown>;

function differencesOfItems(shown: unknown[], given: unknown[], path: string): string[] {
  const items = shown.filter((item) => item !== MORE);
  const isCut = items.length < shown.length;
  if (given.length < items.length || (!isCut && given.length > items.length))
    return [`${path}: ${items.length} items are shown, ${given.length} were answered`];
  return items.flatMap((item, at) => differences(item, given[at], `${path}[${at}]`));
}

function differencesOfKeys(shown: Shown, given: Shown, path: string): string[] {
  const unseen = MORE in shown ? [] : Object.keys(given).filter((key) => !Object.hasOwn(shown, key));
  return [
    ...unseen.map((key) => `${path}.${key}: ${show(given[key])} was answered and is not shown`),
    ...Object.keys(shown)
      .filter((key) => key !== MORE)
      .flatMap((key) =>
        Object.hasOwn(given, key)
          ? differences(shown[key], given[key], `${path}.${key}`)
          : [`${path}.${key}: ${show(shown[key])} is shown and was not answered`],
      ),
  ];
}

const isWord = (text: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(text);

const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
