import { type Mode, systemCaller } from '@loyalty/platform/base/caller';
import type { Log } from '@loyalty/platform/observe/log';
import type { Transport } from '../transport/transport.ts';

/** An answered call, as listed in the recent activity of its credential. */
export interface CallToLog {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly actor: string;
  readonly channel: 'REST' | 'GRAPHQL' | 'MCP';
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  /** Reason of a failed call. */
  readonly reason: string | null;
  readonly calledAt: Date;
}

export interface CallLog {
  record(call: CallToLog): void;
  /** Writes the remaining calls. */
  close(): Promise<void>;
}

const FLUSH_MS = 1_000;
const BATCH = 500;
const WAITING_MAX = 20_000;
const RECORD = 'mutation RecordCalls($calls: [CallInput!]!) { _recordCalls(calls: $calls) }';

/**
 * Collects calls and writes them in batches, outside of requests. If writing is too slow, the oldest calls
 * are dropped.
 */
export function createCallLog(workspace: Transport, log: Log): CallLog {
  const send = workspace.prepare({ query: RECORD });
  let waiting: CallToLog[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const calls = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      const from = { caller: systemCaller('call-log'), requestId: 'call-log' };
      const { errors } = await send({ calls }, from);
      if (errors)
        log.warn({ errors: errors.map(({ message }) => message), lost: calls.length }, 'calls not recorded');
    }
  }
  const timer = setInterval(() => {
    writing = writing.then(flush);
  }, FLUSH_MS);
  timer.unref();

  return {
    record(call) {
      waiting.push(call);
      if (waiting.length > WAITING_MAX) waiting = waiting.slice(-WAITING_MAX / 2);
    },
    async close() {
      clearInterval(timer);
      writing = writing.then(flush);
      await writing;
    },
  };
}
