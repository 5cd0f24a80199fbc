import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One text file of the repository. */
export interface SourceFile {
  /** The path from the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Project {
  readonly files: readonly SourceFile[];
}

/** A place where the code breaks a rule, with a message that says what to do. */
export interface Breach {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A rule about the code that can be checked by reading the files. */
export interface Rule {
  /** The rule as a sentence. */
  readonly name: string;
  readonly check: (project: Project) => Breach[];
}

/** A file to which one rule does not apply. */
export interface Exception {
  readonly rule: Rule;
  readonly file: string;
  readonly reason: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const skippedFolders = ['node_modules', 'generated', '.git', '.turbo', '.data', 'coverage', 'dist'];
const textFile = /\.(ts|tsx|mjs|cjs|js|json|graphql|prisma|sql|md|yml|yaml|sh|css|html|example)$/;
const textFileWithoutEnding = /(^|\/)(\.ci\/run|\.gitignore|\.gitattributes|\.npmrc)$/;

/** Reads every text file of the checkout, without generated files and installed packages. */
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

/** A project with the given texts, for the test of a rule. */
export const projectOf = (texts: Readonly<Record<string, string>>): Project => ({
  files: Object.entries(texts).map(([path, text]) => ({ path, text })),
});

/** Checks every line of the files that `select` picks. `judge` returns the fault of a line, or null. */
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
 * Removes the breaches that an exception allows.
 *
 * @returns each remaining breach with its rule; an exception that no breach needs is a breach itself
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
