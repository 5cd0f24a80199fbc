import { beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven } from '../workspace.fixture.ts';
import { pruneCallLogJob } from './call-log.jobs.ts';

const { services } = useServices({ at: '2026-03-10T10:00:00.000Z' });
const given = createGiven(services);
beforeAll(() => pruneCallLogJob.run(given.system(), {}));

const RECORD = 'mutation ($calls: [CallInput!]!) { _recordCalls(calls: $calls) }';
const STATISTICS = `query ($from: Date, $to: Date) {
  callStatistics(from: $from, to: $to) { series { date calls refused failed } }
}`;
const period = { from: '2026-03-09', to: '2026-03-10' };

test('counts calls by day and outcome; a test credential sees test calls only', async () => {
  const { ctx, token, workspaceId } = await given.owner();
  const call = (status: number, details: object = {}) => ({
    workspaceId,
    actor: 'key:a',
    channel: 'REST',
    operation: 'GET /api/v2/members',
    status,
    durationMs: 3,
    requestId: 'r-1',
    calledAt: services.clock.now().toISOString(),
    ...details,
  });
  const calledAt = new Date(services.clock.now().getTime() - DAY_MS).toISOString();
  const calls = [
    call(200),
    call(404),
    call(429),
    call(503),
    call(200, { mode: 'TEST' }),
    call(200, { calledAt }),
  ];
  for (const half of [calls.slice(0, 3), calls.slice(3)])
    await given.run(given.system(), RECORD, { calls: half });
  const yesterday = { date: '2026-03-09', calls: 1, refused: 0, failed: 0 };
  const { data } = await given.run(ctx, STATISTICS, period);
  expect(data).toEqual({
    callStatistics: { series: [yesterday, { date: '2026-03-10', calls: 5, refused: 2, failed: 1 }] },
  });
  const sandbox = await given.contextOf(token, { mode: 'TEST' });
  expect((await given.run(sandbox, STATISTICS, period)).data).toEqual({
    callStatistics: {
      series: [
        { ...yesterday, calls: 0 },
        { date: '2026-03-10', calls: 1, refused: 0, failed: 0 },
      ],
    },
  });
  const foreign = await given.owner();
  expect((await given.run(foreign.ctx, STATISTICS, period)).data).toEqual({
    callStatistics: {
      series: [
        { ...yesterday, calls: 0 },
        { ...yesterday, calls: 0, date: '2026-03-10' },
      ],
    },
  });
});
