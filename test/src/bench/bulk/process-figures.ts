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
 * @param pidFile - `postmaster.pid`, whose first line is the id of the first process
 */
export function postgresMemory(pidFile: string): number {
  const all = postgresPids(pidFile).map(statusOf);
  const shared = Math.max(...all.map((read) => read('RssShmem')));
  return shared + all.reduce((sum, read) => sum + read('RssAnon'), 0);
}

/** The first process of PostgreSQL, then those that it has started. */
function postgresPids(pidFile: string): number[] {
  const parent = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  return [parent, ...childrenOf(parent)];
}

const TICKS_PER_SECOND = 100;

/** Seconds of processor time of a process, with those of its processes that have ended. */
export function cpuSecondsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // The name of the process is in brackets, and may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** Seconds of processor time of all processes of PostgreSQL. */
export const postgresCpuSeconds = (pidFile: string): number =>
  postgresPids(pidFile).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);

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
