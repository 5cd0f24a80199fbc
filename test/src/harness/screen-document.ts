import { globSync, readFileSync } from 'node:fs';
import { parse, print, separateOperations } from 'graphql';

const root = new URL('../../../', import.meta.url);
const texts = globSync('back-office/app/**/*.graphql', { cwd: root }).map((file) =>
  readFileSync(new URL(file, root), 'utf8'),
);
const operations = separateOperations(parse(texts.join('\n')));

/** The text of an operation of the back office, with the fragments that it uses. */
export function screenDocument(name: string): string {
  const document = operations[name];
  if (!document) throw new Error(`The back office has no operation ${name}.`);
  return print(document);
}
