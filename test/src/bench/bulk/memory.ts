import { existsSync, readdirSync, readFileSync } from 'node:fs';

const MIB = 1_024;

/** Figures of `/proc/<pid>/status` in MiB; zeros once the process has ended. */
function statusOf(pid: number): (name: string) => number {
  const file = `/proc/${pid}/status`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / MIB;
}

/** MiB of a process now, and the most that it ever had. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const read = statusOf(pid);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/**
 * MiB of PostgreSQL: what its processes have alone, with the memory that they share counted once.
 *
 * @param dataDir - of the cluster, which holds the id of its first process
 */
export function postgresMemory(pidFile: string): number {
  const parent = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const all = [parent, ...childrenOf(parent)].map(statusOf);
  const shared = Math.max(...all.map((read) => read('RssShmem')));
  return shared + all.reduce((sum, read) => sum + read('RssAnon'), 0);
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const file = `/proc/${pid}/status`;
      try {
        return new RegExp(`^PPid:\\s+${parent}$`, 'm').test(readFileSync(file, 'utf8'));
      } catch {
        // It ended meanwhile.
        return false;
      }
    });
}
