import { posix } from 'node:path';
import type { Breach, Rule } from './project.ts';

const ENTRIES_MAX = 30;

/** Migrations stay for good, so that each version before can be brought up to date. */
const growing = 'prisma/migrations';

const isCounted = (path: string): boolean => !/\.(test|contract|fixture)\.ts$/.test(path);

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
