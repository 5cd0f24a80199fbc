import { expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import { newId } from '../base/ids.ts';
import { publishEnd, publishProgress } from '../subscriptions/publish-progress.ts';
import { watchImport } from './import-progress.ts';
import { advance, beginRun, changeToQueued, endRun, type Import, insertImport } from './imports.store.ts';

const { services, ctx, fresh, newContext } = useServices();

const WATCHERS = 200;
const BATCH = { inserted: 5, updated: 0, skipped: 0, failed: 0, position: 5, issues: 0 };

async function runningImport(): Promise<Import> {
  const { id } = await insertImport(ctx, newId(services.clock), {
    kind: 'MEMBERS',
    format: 'CSV',
    mapping: {},
    onDuplicate: 'UPDATE',
    parts: null,
    fileName: null,
  });
  await changeToQueued(ctx, id, { parts: 1, bytes: 1, fingerprint: null });
  return (await beginRun(ctx, id))!;
}

/** Collects all values in order. */
function collect(watched: AsyncIterable<Import>): { taken: Import[]; ended: Promise<void> } {
  const taken: Import[] = [];
  const take = async () => {
    for await (const each of watched) taken.push(each);
  };
  return { taken, ended: take() };
}

const reads = () => services.statements.filter((text) => text.includes('FROM platform.imports')).length;

test('two hundred watchers cost one statement for each change, and all of them see the end', async () => {
  const job = await runningImport();
  services.statements.length = 0;
  const all = Array.from({ length: WATCHERS }, () => collect(watchImport(fresh(), job.id)));
  const processed = (count: number) => () =>
    expect(all.filter(({ taken }) => taken.at(-1)?.processed === count)).toHaveLength(WATCHERS);
  await eventually(processed(0));
  expect(reads()).toBe(1);
  await advance(ctx, job, BATCH);
  publishProgress(ctx, 'import', job.id);
  await eventually(processed(5));
  expect(reads()).toBe(2);
  await ctx.transaction(async (tx) => {
    await endRun(tx, job, null);
    publishEnd(tx, 'import', job.id);
  });
  await Promise.all(all.map(({ ended }) => ended));
  expect(reads()).toBe(3);
  expect(new Set(all.map(({ taken }) => taken.map(({ status }) => status).join()))).toEqual(
    new Set(['RUNNING,RUNNING,COMPLETED']),
  );
});

test.each(['sandbox', 'foreign'] as const)('the %s sees nothing of an import', async (which) => {
  const job = await runningImport();
  const { workspaceId } = ctx.scope;
  const other = which === 'foreign' ? newContext() : fresh({ workspaceId, mode: 'TEST' });
  const { taken, ended } = collect(watchImport(other, job.id));
  await ended;
  expect(taken).toEqual([]);
});
