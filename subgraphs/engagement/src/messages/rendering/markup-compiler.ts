import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CompiledMarkup, MarkupJob } from './markup.steps.ts';

export interface MarkupCompiler {
  /** Compiled HTML, or what is wrong with the markup. */
  compile(job: MarkupJob): Promise<CompiledMarkup>;
}

const TOO_SLOW: CompiledMarkup = {
  problems: [{ message: 'it takes too long to compile: use fewer elements and styles', line: 1 }],
};
const MEMORY_MB = 512;
const START_MS = 60_000;

/**
 * Compiles in a thread, one job at a time: a page of styles can take minutes, and the process has to answer
 * others meanwhile. The thread starts with the first job and ends after some idle time.
 *
 * @param options.deadlineMs - a job that takes longer is given up; default 5,000
 * @param options.idleMs - default 60,000
 */
export function createMarkupCompiler({ deadlineMs = 5_000, idleMs = 60_000 } = {}): MarkupCompiler {
  let thread: Promise<Worker> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    const ended = thread;
    thread = null;
    await (await ended?.catch(() => null))?.terminate();
  }

  async function compileNow(job: MarkupJob): Promise<CompiledMarkup> {
    clearTimeout(idle);
    thread ??= start();
    try {
      const running = await thread;
      const result = await within(deadlineMs, running, job);
      if (!result) await end();
      idle = setTimeout(() => void end(), idleMs).unref();
      return result ?? TOO_SLOW;
    } catch (error) {
      thread = null;
      throw error;
    }
  }

  return {
    compile(job) {
      const mine = turn.then(() => compileNow(job));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** The compiler of this process. */
export const markupCompiler = createMarkupCompiler();

/** A thread that has read what it compiles with, which takes its time on a busy machine. */
async function start(): Promise<Worker> {
  const thread = new Worker(new URL('./markup.thread.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  await once(thread, 'message', { signal: AbortSignal.timeout(START_MS) });
  // An error between two jobs is noticed by the next, and must not end the process.
  thread.on('error', () => undefined);
  // An idle thread must not keep the process from ending.
  thread.unref();
  return thread;
}

/** Null if the thread ended or was too slow: then a new one is needed. */
async function within(deadlineMs: number, thread: Worker, job: MarkupJob): Promise<CompiledMarkup | null> {
  // A thread that has ended has no id.
  if (thread.threadId < 0) return null;
  const { promise, resolve } = Promise.withResolvers<CompiledMarkup | null>();
  const fail = () => resolve(null);
  const late = setTimeout(fail, deadlineMs);
  thread.once('message', resolve).once('error', fail).once('exit', fail);
  thread.postMessage(job);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    thread.off('message', resolve).off('error', fail).off('exit', fail);
  }
}
