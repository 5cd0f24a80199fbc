import { linksOf } from './links.ts';
import { isTest, isTypeScript, packageOf, resolveImport, roleOf } from './paths.ts';
import type { Breach, Project, Rule } from './project.ts';
import { type Export, exportsOf, stringsOf } from './syntax.ts';

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

/** The product's first: it is the test that takes another name. */
const typesIn = (project: Project): Exported[] =>
  exportsIn(project)
    .filter(({ isType, isReExport }) => isType && !isReExport)
    .sort((one, other) => Number(isTest(one.path)) - Number(isTest(other.path)));

/** Run as they are, or read by a tool: what they export is asked for by nobody here. */
const isEntry = (path: string): boolean =>
  roleOf(path) === 'test' || /(^|\/)(\w+\.config|codegen)\.ts$/.test(path);

/** `path#name` of every export that another file asks for; `path#*` where it asks for all. */
function usesIn(project: Project): Set<string> {
  const imported = linksOf(project).flatMap(({ target, names }) => names.map((name) => `${target}#${name}`));
  return new Set([...imported, ...mappedTypes(project)]);
}

/** Codegen takes the types of parents from strings: `../src/tiers/tiers.store.ts#Tier as TierRow`. */
const mappedTypes = ({ files }: Project): string[] =>
  files
    .filter(({ path }) => /\/codegen\.(ts|mjs)$/.test(path))
    .flatMap((file) =>
      stringsOf(file).flatMap(({ text }) => {
        const [, specifier = '', name] = /^(.+)#(\w+)/.exec(text) ?? [];
        // Paths start at the generated file.
        const target = resolveImport(`${packageOf(file.path)}/generated/schema.ts`, specifier);
        return target ? [`${target}#${name}`] : [];
      }),
    );

function deadExports(project: Project, message: string): (Breach & { isType: boolean })[] {
  const uses = usesIn(project);
  return exportsIn(project)
    .filter(({ path, name }) => !isEntry(path) && !uses.has(`${path}#*`) && !uses.has(`${path}#${name}`))
    .map(({ path, line, name, isType }) => ({ file: path, line, isType, message: `${name} ${message}` }));
}

const unused = (project: Project, wantsTypes: boolean): Breach[] =>
  deadExports(project, 'is imported by no other file: delete it, or its `export`')
    .filter(({ isType }) => isType === wantsTypes)
    .map(({ file, line, message }) => ({ file, line, message }));

export const deadValues: Rule = {
  name: 'Every exported value is imported by another file',
  check: (project) => unused(project, false),
};

export const deadTypes: Rule = {
  name: 'Every exported type is imported by another file',
  check: (project) => unused(project, true),
};
