import { execFileSync } from 'node:child_process';

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' });

/** The lines of each file that differ from a commit, uncommitted changes included. */
export function changedLines(since: string): Map<string, Set<number>> {
  const files = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const text of git('diff', '--unified=0', '--no-color', since, '--', '*.ts').split('\n')) {
    const file = /^\+\+\+ b\/(.+)$/.exec(text)?.[1];
    if (file !== undefined) {
      lines = new Set();
      files.set(file, lines);
    }
    const [, first, count = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(text) ?? [];
    for (let line = Number(first); line < Number(first) + Number(count); line += 1) lines.add(line);
  }
  return files;
}
