import { isConfig } from './paths.ts';
import type { Breach, Project, Rule, SourceFile } from './project.ts';
import { collect, lineOf } from './syntax.ts';

const exampleFile = '.env.example';

interface Named {
  readonly name: string;
  readonly line: number;
}

/** The names of the settings: the keys of `export const variables = { … }`. */
const variablesOf = (config: SourceFile): Named[] =>
  collect(config, (node, parents) => {
    const owner = parents.findLast(({ type }) => type === 'VariableDeclarator');
    const isVariables =
      owner?.type === 'VariableDeclarator' && owner.id.type === 'Identifier' && owner.id.name === 'variables';
    const isInside = parents.filter(({ type }) => type === 'ObjectExpression').length > 1;
    if (!isVariables || isInside || node.type !== 'ObjectProperty' || node.key.type !== 'Identifier')
      return null;
    return /^[A-Z]/.test(node.key.name) ? { name: node.key.name, line: lineOf(node) } : null;
  });

const examplesIn = (example: SourceFile): Named[] =>
  example.text.split('\n').flatMap((text, index) => {
    const name = /^#?\s?([A-Z][A-Z0-9_]*)=/.exec(text)?.[1];
    return name ? [{ name, line: index + 1 }] : [];
  });

const missing = (
  named: readonly Named[],
  others: readonly Named[],
  file: string,
  message: string,
): Breach[] =>
  named
    .filter(({ name }) => !others.some((other) => other.name === name))
    .map(({ name, line }) => ({ file, line, message: `${name} ${message}` }));

export const settings: Rule = {
  name: '.env.example lists exactly the settings that are read',
  check: ({ files }: Project) => {
    const config = files.find(({ path }) => isConfig(path));
    const example = files.find(({ path }) => path === exampleFile);
    if (!config || !example) return [];
    const [read, shown] = [variablesOf(config), examplesIn(example)];
    return [
      ...missing(read, shown, config.path, `is not in ${exampleFile}`),
      ...missing(shown, read, exampleFile, `is not read by ${config.path}`),
    ];
  },
};
