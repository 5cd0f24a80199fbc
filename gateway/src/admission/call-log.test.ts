import { expect, test } from '@jest/globals';
import { createLog } from '@loyalty/platform/observe/log';
import { answering } from '../transport/transport.fixture.ts';
import { type CallToLog, createCallLog } from './call-log.ts';

const call = (requestId: string): CallToLog => ({
  workspaceId: 'w',
  mode: 'LIVE',
  actor: 'key:1',
  channel: 'REST',
  operation: 'GET /x',
  status: 200,
  durationMs: 3,
  requestId,
  reason: null,
  calledAt: new Date(0),
});

test('calls are written in batches, the last ones before the end', async () => {
  const batches: unknown[][] = [];
  const log = createCallLog(
    answering(({ variables }) => {
      batches.push((variables as { calls: unknown[] }).calls);
      return { data: { _recordCalls: 1 } };
    }),
    createLog({ level: 'silent', name: 'test' }),
  );
  for (let n = 0; n < 700; n += 1) log.record(call(`r${n}`));
  await log.close();
  expect(batches.map((batch) => batch.length)).toEqual([500, 200]);
});

test('a log that cannot be written loses its lines and nothing else', async () => {
  const away = answering(() => ({ errors: [{ message: 'away' } as never] }));
  const log = createCallLog(away, createLog({ level: 'silent', name: 'test' }));
  log.record(call('r'));
  await expect(log.close()).resolves.toBeUndefined();
});
