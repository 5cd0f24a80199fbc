import { beforeAll, expect, test } from '@jest/globals';
import { event, publish } from '@loyalty/platform/work/events';
import { job } from '@loyalty/platform/work/jobs';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { z } from 'zod';
import { LONG_QUEUE } from './queues.ts';
import { on } from './reactions.ts';
import { jobId } from './relay.ts';
import { startWorker, type Worker } from './worker.ts';

const payload = z.object({ number: z.int() });
const wanted = { short: event('test.short_wanted', payload), long: event('test.long_wanted', payload) };
const started: number[] = [];
const failures = new Map<number, string>();
const options = {
  onExhausted: async (_: unknown, { number }: { readonly number: number }, failure: string) => {
    failures.set(number, failure);
  },
};
const note = async (_: unknown, { number }: { readonly number: number }) => {
  started.push(number);
};
const short = job('test.short', payload, note, options);
const long = job('test.long', payload, note, { ...options, isLong: true, size: () => 1 });
const held = Promise.withResolvers<void>();
const slow = job('test.slow', payload, () => held.promise);
const slowWanted = event('test.slow_wanted', payload);
const reactions = [on(wanted.short, short), on(wanted.long, long), on(slowWanted, slow)];
const tables = { reactions, schedule: [] };

const { services, beforeClose } = useServices();
let worker: Worker | null;
beforeAll(async () => {
  const connected = { ...services, config: { ...services.config, DATABASE_URL: services.url } };
  worker = await startWorker(connected, tables);
});
beforeClose(() => worker?.stop());

/**
 * Creates a due job that has lost this many workers, in the state in which pg-boss leaves it after their last
 * heartbeat.
 */
async function givenLost(kind: 'short' | 'long', number: number, losses: number): Promise<void> {
  const ctx = contextOf(services, callerOf());
  const { name } = kind === 'short' ? short : long;
  const envelope = {
    ...{ job: name, workspaceId: ctx.scope.workspaceId, mode: 'LIVE', requestId: 'test', data: { number } },
    ...(losses > 1 && { losses: losses - 1 }),
  };
  await services.database.sql.query(
    `INSERT INTO pgboss.job (id, name, data, state, retry_limit, retry_count, started_on, output, dead_letter,
            heartbeat_seconds, start_after)
     SELECT $1, q.name, $3, 'retry', 5, $4, now(), $5, q.dead_letter, 60, now()
       FROM pgboss.queue AS q WHERE q.name = $2`,
    [
      jobId(`test ${number}`, name),
      kind === 'short' ? name : LONG_QUEUE,
      JSON.stringify(envelope),
      losses,
      JSON.stringify({ value: { message: 'job heartbeat timeout' } }),
    ],
  );
}

test.each(['short', 'long'] as const)(
  'a %s job that two workers were lost with is given up with the reason, whatever attempts are left',
  async (kind) => {
    const number = kind === 'short' ? 1 : 2;
    await givenLost(kind, number, 2);
    await eventually(() =>
      expect(failures.get(number)).toBe('Given up (WORKER_LOST): 2 workers were lost while they had it.'),
    );
    expect(started).not.toContain(number);
  },
);

test.each(['short', 'long'] as const)(
  'a %s job that one worker was lost with runs again, and the loss is counted',
  async (kind) => {
    const number = kind === 'short' ? 3 : 4;
    await givenLost(kind, number, 1);
    await eventually(() => expect(started).toContain(number));
    const rows = await services.database.sql.query(
      `SELECT data->>'losses' AS losses FROM pgboss.job WHERE data->'data'->>'number' = $1`,
      [String(number)],
    );
    expect(rows).toEqual([{ losses: '1' }]);
    expect(failures.has(number)).toBe(false);
  },
);

test('a job that runs too long for a stop is given back in order: no worker is lost', async () => {
  const stopping = worker!;
  await contextOf(services, callerOf()).transaction((tx) => publish(tx, slowWanted, { number: 5 }));
  const stateOf = async () => {
    const [row] = await services.database.sql.query<{ state: string; output: unknown }>(
      `SELECT state, output FROM pgboss.job WHERE name = $1`,
      [slow.name],
    );
    return row;
  };
  await stopping.relay();
  await eventually(async () => expect(await stateOf()).toMatchObject({ state: 'active' }));
  worker = null;
  await stopping.stop();
  expect(await stateOf()).toMatchObject({
    state: 'retry',
    output: { value: 'pg-boss shut down while active' },
  });
  held.resolve();
});
