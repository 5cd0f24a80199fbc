import { posix } from 'node:path';
import type { Breach, Rule } from './project.ts';

const FILES_MAX = 30;

/** Migrations are never deleted, because an older version must still be able to run them. */
const growing = 'prisma/migrations';

const isCounted = (path: string): boolean => !/\.(test|fixture)\.ts$/.test(path);

export const folders: Rule = {
  name: `A folder holds at most ${FILES_MAX} files, so that a reader can look over it; tests are not counted`,
  check({ files }) {
    const counted = files.map(({ path }) => path).filter((path) => isCounted(path) && path.includes('/'));
    const folders = Map.groupBy(counted, (path) => posix.dirname(path));
    return [...folders].flatMap(([folder, { length }]): Breach[] => {
      if (folder.startsWith(growing)) return [];
      const message = `${length} files, ${FILES_MAX} at most: a second noun is in it`;
      return length > FILES_MAX ? [{ file: folder, line: 1, message }] : [];
    });
  },
};

export const flatNouns: Rule = {
  name: 'A noun of a subgraph is one flat folder, so that its name leads to all of it',
  check: ({ files }) =>
    files
      .filter(({ path }) => /^subgraphs\/[^/]+\/src\/[^/]+\/.+\//.test(path))
      .map(({ path }) => ({
        file: path,
        line: 1,
        message: 'move it into the folder of its noun, or name a noun',
      })),
};
