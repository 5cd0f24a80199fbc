import type { Breach, Project, Rule, SourceFile } from './project.ts';
import { at, type Placed, sdlIn } from './sdl.ts';
import { stringsOf } from './syntax.ts';

const LIST = 'platform/src/base/error-reasons.ts';
const isProduct = (path: string): boolean =>
  /^(platform|subgraphs\/\w+|gateway|rest-adapter|worker|cli)\/src\/.+\.ts$/.test(path) &&
  !/\.(test|contract|fixture|examples)\.ts$/.test(path) &&
  path !== LIST;

interface Listed {
  readonly reason: string;
  readonly file: SourceFile;
  readonly line: number;
}

const listedIn = ({ files }: Project): Listed[] =>
  files
    .filter(({ path }) => path === LIST)
    .flatMap((file) =>
      stringsOf(file).flatMap(({ text, line }) =>
        /^[A-Z]+(_[A-Z]+)*$/.test(text) ? [{ reason: text, file, line }] : [],
      ),
    );

/** The values of the enum `ErrorReason`, which may be split over several files. */
function describedIn(project: Project): Map<string, { readonly file: SourceFile; readonly node: Placed }> {
  const values = sdlIn(project).flatMap(({ file, definitions }) =>
    definitions.flatMap((definition) =>
      (definition.kind === 'EnumTypeDefinition' || definition.kind === 'EnumTypeExtension') &&
      definition.name.value === 'ErrorReason'
        ? (definition.values ?? []).map((node) => [node.name.value, { file, node }] as const)
        : [],
    ),
  );
  return new Map(values);
}

const breach = ({ file, line }: Listed, message: string): Breach => ({ file: file.path, line, message });

export const described: Rule = {
  name: 'The reasons of errors in the code are those of the enum ErrorReason',
  check(project) {
    const [listed, inGraph] = [listedIn(project), describedIn(project)];
    const known = new Set(listed.map(({ reason }) => reason));
    return [
      ...listed
        .filter(({ reason }) => !inGraph.has(reason))
        .map((one) => breach(one, `describe ${one.reason} in the enum ErrorReason`)),
      ...[...inGraph]
        .filter(([reason]) => !known.has(reason))
        .map(([reason, { file, node }]) => at(file, node, `list ${reason} by its category`)),
    ];
  },
};

/**
 * Removes spaces, `_` and `-`, so that `bulk award`, `Bulk award` and `bulkAward` match BULK_AWARD_NOT_FOUND.
 */
const plain = (noun: string): string => noun.replace(/[ _-]/g, '').toLowerCase();

export const used: Rule = {
  name: 'Every reason of an error is given somewhere',
  check(project) {
    const texts = new Set(
      project.files
        .filter(({ path }) => isProduct(path))
        .flatMap((file) => stringsOf(file).flatMap(({ text }) => [text, plain(text)])),
    );
    return listedIn(project)
      .filter(({ reason }) => !texts.has(reason) && !texts.has(plain(reason.replace(/_NOT_FOUND$/, ''))))
      .map((one) => breach(one, `nothing gives ${one.reason}: remove it here and from the graph`));
  },
};

export const categories: Rule = {
  name: 'An error has a reason of its category',
  check(project) {
    const byCategory = new Map<string, Set<string>>();
    for (const { file } of listedIn(project))
      for (const [category, reasons] of listsOf(file)) byCategory.set(category, reasons);
    return project.files
      .filter(({ path }) => isProduct(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/new AppError\(\s*'([A-Z_]+)',\s*'([A-Z_]+)'/g)]
          .filter(([, category, reason]) => !byCategory.get(category!)?.has(reason!))
          .map(({ index, 1: category, 2: reason }) => ({
            file: path,
            line: text.slice(0, index).split('\n').length,
            message: `${reason} is no reason of ${category}`,
          })),
      );
  },
};

/** The lists of reasons in a file: those written in place, and those in a constant of the file. */
function listsOf({ text }: SourceFile): [category: string, reasons: Set<string>][] {
  const wordsOf = (list: string) => new Set([...list.matchAll(/'([A-Z_]+)'/g)].map(([, word]) => word!));
  const constant = (name: string) => new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(text)?.[1] ?? '';
  return [...text.matchAll(/^ {2}([A-Z_]+): (?:\[([^\]]*)\]|(\w+)),$/gm)].map(([, category, own, name]) => [
    category!,
    wordsOf(own ?? constant(name!)),
  ]);
}
