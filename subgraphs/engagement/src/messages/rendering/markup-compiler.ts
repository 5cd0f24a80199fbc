import { createWorkThread } from '@loyalty/platform/operations/work-thread';
import type { CompiledMarkup, MarkupJob } from './markup.steps.ts';

export interface MarkupCompiler {
  /** Compiled HTML, or what is wrong with the markup. */
  compile(job: MarkupJob): Promise<CompiledMarkup>;
}

const TOO_SLOW: CompiledMarkup = {
  problems: [{ message: 'it takes too long to compile: use fewer elements and styles', line: 1 }],
};
const MEMORY_MB = 512;

/**
 * Compiles in a thread, one job at a time: a page of styles can take minutes.
 *
 * @param options.deadlineMs - a job that takes longer is given up; default 5,000
 */
export function createMarkupCompiler({ deadlineMs = 5_000 } = {}): MarkupCompiler {
  const module = new URL('./markup.thread.ts', import.meta.url);
  const thread = createWorkThread<MarkupJob | null, CompiledMarkup>(module, { memoryMb: MEMORY_MB });
  let turn: Promise<unknown> = Promise.resolve();

  async function compileNow(job: MarkupJob): Promise<CompiledMarkup> {
    // The time that the thread needs to start is not the job's.
    await thread.run(null);
    try {
      return await thread.run(job, AbortSignal.timeout(deadlineMs));
    } catch {
      // Or it needs too much memory.
      return TOO_SLOW;
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
