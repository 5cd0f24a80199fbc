import type { Breach, Rule } from './project.ts';
import { type RetiredWord, retiredWords } from './words.ts';

/**
 * Files to which the rule does not apply: the list of words, files that are never changed, and generated
 * files.
 */
const exempt = [
  /^test\/src\/architecture\/words\./,
  /^prisma\/migrations\//,
  /(^|\/)package-lock\.json$/,
  // It fills tables that a later migration changed, so it uses the old names.
  /^prisma\/src\/call-log-by-day\.test\.ts$/,
  /^gateway\/supergraph\.graphql$/,
];

/**
 * Writes identifiers with hyphens: `sendPatienceMs` becomes `send-patience-ms`, `PATIENCE_MS` becomes
 * `patience-ms`.
 */
const hyphenated = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/(\w)_(?=\w)/g, '$1-')
    .toLowerCase();

const anyWord = new RegExp(retiredWords.map(({ pattern }) => `(?:${pattern.source})`).join('|'));

function wordsIn(text: string, path: string): string[] {
  const plain = hyphenated(text);
  if (!anyWord.test(plain)) return [];
  return retiredWords.flatMap(({ pattern, use, allowedIn }: RetiredWord) => {
    const [found] = allowedIn?.test(path) ? [] : (pattern.exec(plain) ?? []);
    return found ? [`“${found}”: write ${use}`] : [];
  });
}

export const words: Rule = {
  name: 'A thing has the name that the field knows it by (words.ts)',
  check: ({ files }) =>
    files
      .filter(({ path }) => !exempt.some((pattern) => pattern.test(path)))
      .flatMap(({ path, text }) => [
        ...wordsIn(path, path).map(
          (message): Breach => ({ file: path, line: 1, message: `file name ${message}` }),
        ),
        ...text
          .split('\n')
          .flatMap((line, index) =>
            wordsIn(line, path).map((message): Breach => ({ file: path, line: index + 1, message })),
          ),
      ]),
};
