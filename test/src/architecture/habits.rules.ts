import type { CallExpression } from '@babel/types';
import { isCode, isConfig, isTest, isTypeScript } from './paths.ts';
import { type Breach, checkLines, type Rule, type SourceFile } from './project.ts';
import { collect, lineOf, propertyName } from './syntax.ts';

const vagueName = /(^|[/.-])(utils?|helpers?|common|misc|shared)([/.-]|$)/;

export const names: Rule = {
  name: 'A file is named after what it holds, and nothing is a barrel',
  check: ({ files }) =>
    files
      .filter(({ path }) => isCode(path))
      .flatMap(({ path }) => {
        const vague = vagueName.exec(path)?.[2];
        if (vague) return [{ file: path, line: 1, message: `${vague} says nothing: name the noun` }];
        const isBarrel = /(^|\/)index\.\w+$/.test(path);
        return isBarrel
          ? [{ file: path, line: 1, message: 'import from the file that holds the thing' }]
          : [];
      }),
};

export const classes: Rule = {
  name: 'A class is an error',
  check: ({ files }) =>
    files
      .filter(({ path }) => isTypeScript(path))
      .flatMap((file) =>
        collect(file, (node) => {
          if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return null;
          const parent = node.superClass?.type === 'Identifier' ? node.superClass.name : '';
          const message = `${node.id?.name ?? 'a class'} can be functions over plain data`;
          return parent.endsWith('Error') ? null : { file: file.path, line: lineOf(node), message };
        }),
      ),
};

export const environment: Rule = {
  name: 'The product reads the environment in config.ts of the platform',
  check: ({ files }) =>
    files
      .filter(({ path }) => isCode(path) && !isConfig(path) && !isTest(path))
      .flatMap((file) =>
        collect(file, (node) => {
          const isRead =
            propertyName(node) === 'env' && 'object' in node && node.object.type === 'Identifier';
          if (!isRead || (node.object as { name: string }).name !== 'process') return null;
          return { file: file.path, line: lineOf(node), message: 'take the setting from services.config' };
        }),
      ),
};

const SERVER = 'platform/src/http/http-server.ts';

export const servers: Rule = {
  name: 'Every server has the headers of the product: http-server.ts makes it',
  check: ({ files }) =>
    files
      .filter(({ path }) => isCode(path) && !isTest(path) && path !== SERVER)
      .flatMap((file) =>
        collect(file, (node) => {
          const isMade =
            node.type === 'CallExpression' &&
            node.callee.type === 'Identifier' &&
            node.callee.name === 'fastify';
          return isMade ? { file: file.path, line: lineOf(node), message: 'use httpServer' } : null;
        }),
      ),
};

const runners = ['describe', 'test', 'it'];
const silenced = ['only', 'skip', 'todo', 'failing'];
const aliases = ['fdescribe', 'fit', 'xdescribe', 'xit', 'xtest'];

export const tests: Rule = {
  name: 'Every test runs',
  check: ({ files }) => files.filter(({ path }) => isTypeScript(path)).flatMap(silencedTests),
};

/**
 * A conditional skip such as `(isRoot ? test : test.skip)(…)` is allowed, because it says when the test runs.
 */
function silencedTests(file: SourceFile): Breach[] {
  return collect(file, (node, parents) => {
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      aliases.includes(node.callee.name)
    ) {
      return { file: file.path, line: lineOf(node), message: `${node.callee.name} silences tests` };
    }
    const name = propertyName(node);
    if (!name || !silenced.includes(name) || !('object' in node) || node.object.type !== 'Identifier')
      return null;
    if (!runners.includes(node.object.name) || parents.at(-1)?.type === 'ConditionalExpression') return null;
    return { file: file.path, line: lineOf(node), message: `${node.object.name}.${name} silences tests` };
  });
}

/** `testTimeout` of jest.config.mjs. */
const TEST_TIMEOUT_MS = 120_000;
const limited = [...runners, 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'];

export const limits: Rule = {
  name: 'No test has less time than by default: on a busy machine a test takes many times as long',
  check: ({ files }) =>
    files
      .filter(({ path }) => isTest(path) && isTypeScript(path))
      .flatMap((file) =>
        collect(file, (node) => {
          if (node.type !== 'CallExpression' || !limited.includes(calledName(node))) return null;
          const limit = node.arguments.at(-1);
          if (limit?.type !== 'NumericLiteral' || limit.value > TEST_TIMEOUT_MS) return null;
          return { file: file.path, line: lineOf(limit), message: 'leave the limit out' };
        }),
      ),
};

/** `test` for `test(…)` and for `test.each(…)(…)`. */
function calledName(node: CallExpression): string {
  const { callee } = node;
  if (callee.type === 'Identifier') return callee.name;
  const table = callee.type === 'CallExpression' ? callee.callee : null;
  return table?.type === 'MemberExpression' && table.object.type === 'Identifier' ? table.object.name : '';
}

const absent = /\.not\.(?:toMatch|toContain)\(\s*['"`/]([^'"`/]*)['"`/]/;
const isShortHex = (word: string): boolean => /^[a-f\d]{1,6}$/.test(word);

export const chance: Rule = {
  name: 'A test does not fail by chance: ciphertext and ids spell short words of the letters a to f',
  check: (project) =>
    checkLines(project, isTest, (line) => {
      const word = absent.exec(line)?.[1]?.split('|').find(isShortHex);
      return word ? `${word} can stand in any ciphertext: look for a longer word` : null;
    }),
};

export const hooks: Rule = {
  name: 'A module that tests share is loaded once for many files: it leaves hooks to functions that each file calls',
  check: (project) =>
    checkLines(
      project,
      (path) => isTypeScript(path) && !path.endsWith('.test.ts'),
      (line) =>
        /^(?:before|after)(?:Each|All)\(/.test(line) ? 'only the first file would have this hook' : null,
    ),
};

const unknownFormat = /%(?:[.\d]+[a-z]|[abceghklmnqrt-z])/;

export const titles: Rule = {
  name: 'The title of a table of tests prints its values: Jest knows %s, %d, %i, %f, %j, %o, %p and %#',
  check: ({ files }) =>
    files
      .filter(({ path }) => isTest(path) && isTypeScript(path))
      .flatMap((file) =>
        collect(file, (node) => {
          if (node.type !== 'CallExpression' || node.callee.type !== 'CallExpression') return null;
          const [title] = node.arguments;
          if (propertyName(node.callee.callee) !== 'each' || title?.type !== 'StringLiteral') return null;
          const [format] = unknownFormat.exec(title.value) ?? [];
          return format
            ? { file: file.path, line: lineOf(title), message: `${format} is printed as it is` }
            : null;
        }),
      ),
};

const isProse = (path: string): boolean => path !== 'package-lock.json';

export const openEnds: Rule = {
  name: 'An open end names its issue: TODO(#12)',
  check: (project) =>
    checkLines(project, isProse, (line) =>
      /\b(TODO|FIXME|XXX|HACK)\b(?!\s*\(?#\d+)/.test(line) ? 'open an issue and write its number' : null,
    ),
};

const machineOnly =
  /(?<![\w.])\/work\/|\.\.\/shared\b|registry\.(npmjs|yarnpkg)\.|npm\.pkg\.|deb\.debian\.|pypi\.org/;

export const anyMachine: Rule = {
  name: 'Nothing names a folder or a registry of one machine',
  check: (project) =>
    checkLines(
      project,
      () => true,
      (line) => {
        const [found] = machineOnly.exec(line) ?? [];
        return found ? `${found} is not there for everybody` : null;
      },
    ),
};
