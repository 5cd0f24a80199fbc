import { existsSync, readdirSync, readFileSync } from 'node:fs';

const MIB = 1_024;

/** Figures of `/proc/<pid>/status` in MiB; all are 0 after the process has ended. */
function statusOf(pid: number): (name: string) => number {
  const file = `/proc/${pid}/status`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / MIB;
}

/** The memory of a process in MiB: now, and its peak. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const read = statusOf(pid);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/**
 * The memory of PostgreSQL in MiB: the private memory of its processes and, once, their shared memory.
 *
 * @param pidFile - `postmaster.pid`, whose first line is the id of the first process
 */
export function postgresMemory(pidFile: string): number {
  const all = postgresPids(pidFile).map(statusOf);
  const shared = Math.max(...all.map((read) => read('RssShmem')));
  return shared + all.reduce((sum, read) => sum + read('RssAnon'), 0);
}

/** The ids of the first process of PostgreSQL and of the processes that it has started. */
function postgresPids(pidFile: string): number[] {
  const parent = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  return [parent, ...childrenOf(parent)];
}

const TICKS_PER_SECOND = 100;

/** Seconds of processor time of a process and of its child processes that have ended. */
export function cpuSecondsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // The name of the process is in brackets and may contain spaces, so the fields are read after it.
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
        // The process has ended in the meantime.
        return false;
      }
    });
}
