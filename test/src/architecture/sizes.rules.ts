import type { Node } from '@babel/types';
import { isCode, isTest, isTypeScript, packageOf } from './paths.ts';
import { type Breach, checkLines, type Project, type Rule, type SourceFile } from './project.ts';
import { collect, lineOf } from './syntax.ts';

const LINE_MAX = 110;
const FUNCTION_LINES_MAX = 50;
/** Components have a higher limit, because markup uses one line for each property. */
const COMPONENT_LINES_MAX = 75;
const FILE_LINES_MAX = 500;
const README_LINES_MAX = 30;

const isBudgeted = (path: string): boolean =>
  isCode(path) || (path.endsWith('.graphql') && path !== 'gateway/supergraph.graphql');

/** The lines of a description in SDL. */
const descriptions = /^ *("{3}[\s\S]*?"{3}|"(?:[^"\\\n]|\\.)+")\n/gm;

const linesOf = ({ text }: SourceFile): number => text.trimEnd().split('\n').length;

/** Descriptions in SDL do not count: they explain the types and are not code to understand. */
const budgetedLinesOf = ({ path, text }: SourceFile): number =>
  linesOf({ path, text: path.endsWith('.graphql') ? text.replace(descriptions, '') : text });

export const fileLength: Rule = {
  name: 'A file has at most 500 lines, so that it can be read from top to bottom; descriptions in SDL do not count',
  check: ({ files }) =>
    files
      .filter(({ path }) => isBudgeted(path))
      .map((file) => ({ file: file.path, lines: budgetedLinesOf(file) }))
      .filter(({ lines }) => lines > FILE_LINES_MAX)
      .map(({ file, lines }) => {
        const counted = file.endsWith('.graphql') ? 'lines without descriptions' : 'lines';
        const message = `${lines} ${counted}, ${FILE_LINES_MAX} at most: a second noun is in it`;
        return { file, line: FILE_LINES_MAX, message };
      }),
};

/** A line with a quoted text, such as a test title or a document. */
const quoted = /(['"`]).*\1/;

/** The formatter keeps an import of one name on one line. */
const importLine = /^import .* from '[^']+';$/;

export const lineLength: Rule = {
  name: 'A line has at most 110 characters',
  check: (project) =>
    checkLines(project, isBudgeted, (line, path) => {
      if (importLine.test(line)) return null;
      const counted = isTest(path) ? line.replace(quoted, '') : line;
      return counted.length > LINE_MAX ? `${line.length} characters` : null;
    }),
};

const functionTypes = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
];

/** A group of tests, `describe('…', () => { … })`, may be as long as a file. */
const isGroupOfTests = ({ path, text }: SourceFile, { start, end }: Node): boolean =>
  isTest(path) && /\b(test|describe)\b/.test(text.slice(start ?? 0, end ?? 0));

export const functionLength: Rule = {
  name: 'A function has at most 50 lines, one that returns markup 75',
  check: ({ files }) => files.filter(({ path }) => isTypeScript(path)).flatMap(longFunctions),
};

function longFunctions(file: SourceFile): Breach[] {
  const max = file.path.endsWith('.tsx') ? COMPONENT_LINES_MAX : FUNCTION_LINES_MAX;
  return collect(file, (node) => {
    if (!functionTypes.includes(node.type) || isGroupOfTests(file, node)) return null;
    const lines = (node.loc?.end.line ?? 0) - lineOf(node) + 1;
    return lines > max ? { file: file.path, line: lineOf(node), message: `${lines} lines` } : null;
  });
}

export const readmes: Rule = {
  name: 'A package has a README.md of at most 30 lines',
  check: ({ files }) => packageFolders(files).flatMap((folder) => readmeBreach(folder, files)),
};

const packageFolders = (files: Project['files']): string[] =>
  files
    .filter(
      ({ path }) =>
        path.endsWith('/package.json') && packageOf(path) === path.slice(0, -'/package.json'.length),
    )
    .map(({ path }) => path.slice(0, -'/package.json'.length));

function readmeBreach(folder: string, files: Project['files']): Breach[] {
  const path = `${folder}/README.md`;
  const readme = files.find((file) => file.path === path);
  if (!readme)
    return [
      { file: path, line: 1, message: 'write it: what it owns, publishes and consumes, where to start' },
    ];
  const lines = linesOf(readme);
  return lines > README_LINES_MAX ? [{ file: path, line: README_LINES_MAX, message: `${lines} lines` }] : [];
}
