import { posix } from 'node:path';
import type { Breach, Rule } from './project.ts';

const ENTRIES_MAX = 30;

/** Migrations stay for good, so that each version before can be brought up to date. */
const growing = 'prisma/migrations';

const isCounted = (path: string): boolean => !/\.(test|contract|fixture|given)\.ts$/.test(path);

export const folders: Rule = {
  name: `A folder holds at most ${ENTRIES_MAX} files and folders, tests not counted`,
  check({ files }) {
    const entries = new Map<string, Set<string>>();
    for (const { path } of files.filter((file) => isCounted(file.path))) {
      for (let entry = path; entry.includes('/'); entry = posix.dirname(entry)) {
        const folder = posix.dirname(entry);
        entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
      }
    }
    return [...entries].flatMap(([folder, { size }]): Breach[] => {
      if (folder === growing) return [];
      const message = `${size} entries, ${ENTRIES_MAX} at most`;
      return size > ENTRIES_MAX ? [{ file: folder, line: 1, message }] : [];
    });
  },
};

/** Every subgraph, and every package that is generated from SDL, has one of these. */
const oneForEachPackage = ['codegen.ts', 'peers.ts', 'subgraph.ts'];
const SAME_NAMES_MAX = 2;

/** `points.store.ts` in a folder `points` is found by its folder. */
const isNamedAfterItsFolder = (path: string): boolean =>
  posix.basename(path).startsWith(`${posix.basename(posix.dirname(path))}.`);

export const fileNames: Rule = {
  name: 'At most two files have the same name, unless it is that of their folder',
  check({ files }) {
    const counted = files
      .map(({ path }) => path)
      .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && isCounted(path))
      .filter((path) => !isNamedAfterItsFolder(path) && !oneForEachPackage.includes(posix.basename(path)));
    return [...Map.groupBy(counted, (path) => posix.basename(path)).values()]
      .filter((paths) => paths.length > SAME_NAMES_MAX)
      .flatMap((paths) =>
        paths.map((file) => ({ file, line: 1, message: `one of ${paths.length} files of this name` })),
      );
  },
};
