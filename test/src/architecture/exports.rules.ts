import { linksOf } from './links.ts';
import { isTest, isTypeScript, packageOf, roleOf } from './paths.ts';
import type { Breach, Project, Rule } from './project.ts';
import { type Export, exportsOf } from './syntax.ts';

interface Exported extends Export {
  readonly path: string;
}

const known = new WeakMap<Project, Exported[]>();

function exportsIn(project: Project): Exported[] {
  const exported =
    known.get(project) ??
    project.files
      .filter(({ path }) => isTypeScript(path) && packageOf(path))
      .flatMap((file) => exportsOf(file).map((each) => ({ ...each, path: file.path })));
  known.set(project, exported);
  return exported;
}

const areCompared = (one: Exported, other: Exported): boolean =>
  packageOf(one.path) === packageOf(other.path) || !(isTest(one.path) || isTest(other.path));

export const typeNames: Rule = {
  name: 'A name of an exported type means one thing; tests of two packages may each have theirs',
  check: (project) =>
    [...Map.groupBy(typesIn(project), ({ name }) => name).values()].flatMap((all) =>
      all.flatMap((each, index): Breach[] => {
        const first = all.slice(0, index).find((other) => areCompared(each, other));
        const message = `${each.name} is exported by ${first?.path}, too: import that, or name the difference`;
        return first ? [{ file: each.path, line: each.line, message }] : [];
      }),
    ),
};

/** Types of the product come first, so that a test is reported when it uses the same name. */
const typesIn = (project: Project): Exported[] =>
  exportsIn(project)
    .filter(({ isType, isReExport }) => isType && !isReExport)
    .sort((one, other) => Number(isTest(one.path)) - Number(isTest(other.path)));

/**
 * Files that are run directly or read by a tool. No file of the repository has to import what they export.
 */
const isEntry = (path: string): boolean =>
  roleOf(path) === 'test' || /(^|\/)(\w+\.config|codegen)\.ts$/.test(path);

/** `path#name` of every export that another file imports; `path#*` if that file imports all. */
function usesIn(project: Project): Set<string> {
  const imported = linksOf(project).flatMap(({ target, names }) => names.map((name) => `${target}#${name}`));
  return new Set(imported);
}

export const deadValues: Rule = {
  name: 'Every exported value is imported by another file',
  check: (project) => {
    const uses = usesIn(project);
    return exportsIn(project)
      .filter(({ path, name, isType }) => {
        const isUsed = uses.has(`${path}#*`) || uses.has(`${path}#${name}`);
        return !isType && !isEntry(path) && !isUsed;
      })
      .map(({ path, line, name }) => {
        const message = `${name} is imported by no other file: delete it, or its \`export\``;
        return { file: path, line, message };
      });
  },
};
