import { expect, test } from '@jest/globals';
import { linearLabel, samplesCsv } from '@loyalty/model-subgraph/pipelines/samples.fixture';
import { upload } from '@loyalty/model-subgraph/training/versions.fixture';
import { listReports } from '@loyalty/model-subgraph/versions/reports.service';
import { listVersionEvents } from '@loyalty/model-subgraph/versions/version-events.service';
import {
  cancelVersion,
  getVersion,
  startVersion,
  uploadVersion,
} from '@loyalty/model-subgraph/versions/versions.service';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '../harness/eventually.ts';
import { contextOf, useServices } from '../harness/services.ts';
import { killed, useWorkers } from './bulk-workers.fixture.ts';

const used = useServices({ at: new Date().toISOString() });
const { services, ctx } = used;
const { worker, keep } = useWorkers(used);

const TWO_HEARTBEATS_MS = 5_000;

const fresh = (): Context => contextOf(services, ctx.caller);

/** Starts the training of a version, which takes some seconds. */
async function started() {
  const content = samplesCsv({ entities: 1_500, dates: 13, target: linearLabel });
  const { version } = await uploadVersion(fresh(), { ...upload, content });
  return startVersion(fresh(), version);
}

const isUnderWay = (id: string, claims: number) =>
  eventually(async () => {
    const [row] = await ctx.sql.query<{ claims: number; done: number }>(
      'SELECT claims, done FROM model.model_versions WHERE id = $1',
      [id],
    );
    expect(row!.claims).toBe(claims);
    expect(row!.done).toBeGreaterThan(0);
  });

test('training goes on after kill -9 of its worker within two heartbeats, and has one report', async () => {
  const { id } = await started();
  const first = await worker();
  await isUnderWay(id, 1);
  await killed(first);
  const [lease] = await ctx.sql.query<{ ms: number }>(
    'SELECT 1_000 * extract(epoch FROM due_at - now())::float8 AS ms FROM model.model_versions WHERE id = $1',
    [id],
  );
  expect(lease!.ms).toBeLessThanOrEqual(TWO_HEARTBEATS_MS);
  const second = await worker();
  await eventually(async () => {
    const [row] = await ctx.sql.query<{ claims: number }>(
      'SELECT claims FROM model.model_versions WHERE id = $1',
      [id],
    );
    expect(row!.claims).toBe(2);
  });
  await eventually(async () => expect((await getVersion(fresh(), { id })).status).toBe('EVALUATED'));
  const { rows } = await listReports(fresh(), id, {});
  expect(rows.map(({ attempt }) => attempt)).toEqual([1]);
  const types = (await listVersionEvents(fresh(), 'TRAINING')).map(({ type }) => type);
  expect(types.toReversed()).toEqual(['uploaded', 'queued', 'started', 'started', 'report_ready']);
  keep(second);
}, 180_000);

test('training in a thread of a worker is cancelled, and the worker is free for the next attempt', async () => {
  await worker();
  const { id } = await started();
  await isUnderWay(id, 1);
  await cancelVersion(fresh(), { id });
  expect(await getVersion(fresh(), { id })).toMatchObject({ status: 'CANCELLED', reportId: null });
  await startVersion(fresh(), { id });
  await isUnderWay(id, 1);
  await eventually(async () => expect((await getVersion(fresh(), { id })).status).toBe('EVALUATED'));
  expect((await listReports(fresh(), id, {})).rows.map(({ attempt }) => attempt)).toEqual([2]);
}, 180_000);
