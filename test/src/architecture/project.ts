import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One text file of the repository. */
export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Project {
  readonly files: readonly SourceFile[];
}

/** Where the code is not as it was agreed, and what to do about it. */
export interface Breach {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Something agreed that can be read off the files. */
export interface Rule {
  /** A sentence that holds for every file. */
  readonly name: string;
  readonly check: (project: Project) => Breach[];
}

/** A file that one rule is not held against. */
export interface Exception {
  readonly rule: Rule;
  readonly file: string;
  readonly reason: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const skippedFolders = ['node_modules', 'generated', '.git', '.turbo', '.data', 'coverage', 'dist'];
const textFile = /\.(ts|tsx|mjs|cjs|js|json|graphql|prisma|sql|md|yml|yaml|sh|css|html|example)$/;
const textFileWithoutEnding = /(^|\/)(\.ci\/run|\.gitignore|\.gitattributes|\.npmrc)$/;

/** Reads every text file of the checkout that people write. */
export function readProject(): Project {
  return {
    files: [...filesBelow('')].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  };
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (!skippedFolders.includes(entry.name)) yield* filesBelow(path);
    } else if (textFile.test(path) || textFileWithoutEnding.test(path)) yield path;
  }
}

/** A project made of the given texts, for trying a rule. */
export const projectOf = (texts: Readonly<Record<string, string>>): Project => ({
  files: Object.entries(texts).map(([path, text]) => ({ path, text })),
});

/** Checks every line of every file that `select` picks; `judge` says what is wrong with a line, or null. */
export function checkLines(
  project: Project,
  select: (path: string) => boolean,
  judge: (line: string, path: string) => string | null,
): Breach[] {
  return project.files
    .filter(({ path }) => select(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const message = judge(line, path);
        return message ? [{ file: path, line: index + 1, message }] : [];
      }),
    );
}

/**
 * What remains when the exceptions are taken out.
 *
 * @returns each breach with its rule; an exception that nothing needs is a breach, too
 */
export function judge(
  project: Project,
  rules: readonly Rule[],
  exceptions: readonly Exception[],
): (Breach & { rule: string })[] {
  const needed = new Set<Exception>();
  const breaches = rules.flatMap((rule) =>
    rule.check(project).flatMap((breach) => {
      const exception = exceptions.find(
        (candidate) => candidate.rule === rule && candidate.file === breach.file,
      );
      if (exception) needed.add(exception);
      return exception ? [] : [{ ...breach, rule: rule.name }];
    }),
  );
  const idle = exceptions.filter((exception) => !needed.has(exception));
  return [...breaches, ...idle.map(idleException)];
}

const idleException = ({ rule, file }: Exception): Breach & { rule: string } => ({
  file: 'test/src/architecture/exceptions.ts',
  line: 1,
  message: `${file} keeps this rule by now: delete its exception`,
  rule: rule.name,
});
