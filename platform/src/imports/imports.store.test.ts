import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { newId } from '../base/ids.ts';
import {
  advance,
  beginRun,
  changeToQueued,
  endRun,
  findImport,
  type Import,
  insertImport,
} from './imports.store.ts';

const { services, ctx } = useServices();

async function queued(): Promise<Import> {
  const about = {
    kind: 'MEMBERS',
    format: 'CSV',
    mapping: {},
    onDuplicate: 'SKIP',
    parts: null,
    fileName: null,
  } as const;
  const { id } = await insertImport(ctx, newId(services.clock), about);
  return (await changeToQueued(ctx, id, { parts: 1, bytes: 10, fingerprint: null }))!;
}

test('a run that a later one has fenced adds nothing and ends nothing', async () => {
  const { id } = await queued();
  const [early, late] = [(await beginRun(ctx, id))!, (await beginRun(ctx, id))!];
  const done = { inserted: 3, updated: 0, skipped: 0, failed: 0, position: 4, issues: 0 };
  expect(await advance(ctx, early, done)).toBeNull();
  expect(await endRun(ctx, early, null)).toBeNull();
  expect(await findImport(ctx, id)).toMatchObject({ status: 'RUNNING', inserted: 0, position: 0 });
  expect(await advance(ctx, late, done)).toMatchObject({ inserted: 3, processed: 3, position: 4 });
  expect(await endRun(ctx, late, null)).toMatchObject({ status: 'COMPLETED', total: 3 });
});
