import { isTypeScript, packageOf, resolveImport } from './paths.ts';
import type { Project, SourceFile } from './project.ts';
import { type Import, importsOf } from './syntax.ts';

/** An import between two files of the repository. */
export interface Link extends Import {
  readonly from: SourceFile;
  /** Path of the imported file. */
  readonly target: string;
}

const known = new WeakMap<Project, Link[]>();

/** All imports between files of the packages. */
export function linksOf(project: Project): Link[] {
  const links = known.get(project) ?? readLinks(project);
  known.set(project, links);
  return links;
}

const readLinks = ({ files }: Project): Link[] =>
  files
    .filter(({ path }) => isTypeScript(path) && packageOf(path))
    .flatMap((from) =>
      importsOf(from).flatMap((found) => {
        const target = resolveImport(from.path, found.specifier);
        return target ? [{ ...found, from, target }] : [];
      }),
    );
