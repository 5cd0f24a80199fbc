import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Memory {
  readonly rssBytes: number;
  /** The used heap after garbage collection. */
  readonly heapBytes: number;
  /** Processor time of user and system since the process began. */
  readonly cpuMs: number;
}

/** A process of the bench that performs one task after the other. */
export interface BenchProcess<Task> {
  do<Answer>(task: Task): Promise<Answer>;
  memory(): Promise<Memory>;
  stop(): Promise<void>;
}

/** Starts a process from a file; its path is relative to this folder. */
export function startBenchProcess<Task>(file: string): BenchProcess<Task> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], {
    execArgv: ['--expose-gc', '--max-semi-space-size=16'],
  });
  const ask = async <Answer>(message: unknown): Promise<Answer> => {
    child.send(message as object);
    const [{ answer }] = (await answerOf(child)) as [{ answer: Answer }];
    return answer;
  };
  return {
    do: (task) => ask(task),
    memory: () => ask('memory'),
    async stop() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** Resolves with the next message of a process; rejects if the process ends before. */
function answerOf(child: ChildProcess): Promise<unknown[]> {
  const ended = new AbortController();
  const exit = () => ended.abort(new Error('A process of the bench ended early: see above.'));
  child.once('exit', exit);
  return once(child, 'message', { signal: ended.signal }).finally(() => child.off('exit', exit));
}

/**
 * Called in the process: performs and answers each task. The process ends with the bench; it calls `stop`
 * before.
 */
export function serveTasks<Task>(perform: (task: Task) => Promise<unknown>, stop = async () => {}): void {
  process.on('message', (message) => {
    const answer = message === 'memory' ? Promise.resolve(ownMemory()) : perform(message as Task);
    answer.then(
      (given) => process.send?.({ answer: given }),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  });
  process.once('disconnect', () => void stop().finally(() => process.exit()));
}

function ownMemory(): Memory {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { rssBytes: rss, heapBytes: heapUsed, cpuMs: (user + system) / 1_000 };
}
