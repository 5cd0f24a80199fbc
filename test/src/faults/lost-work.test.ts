import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from '@jest/globals';
import {
  givenProvider,
  reaching,
  startMailApi,
} from '@loyalty/engagement-subgraph/messages/messages.fixture';
import { systemCaller } from '@loyalty/platform/base/caller';
import { claimWork } from '@loyalty/platform/work/lost-workers';
import { loops } from '@loyalty/worker/loops';
import { eventually } from '../harness/eventually.ts';
import { contextOf, useServices } from '../harness/services.ts';
import { killed, useWorkers } from './bulk-workers.fixture.ts';
import { exempt, exemptLoops, kinds } from './lost-work-kinds.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const each = Object.entries(kinds);
const inBatches = each.filter(([name]) => /^(message|delivery|event|run of a journey)/.test(name));

// Some leases are set by the time of the database, so the clock starts at the real time.
const used = useServices({ at: new Date().toISOString() });
const { services, ctx, beforeClose } = used;
const worker = () => contextOf(services, systemCaller('test'));

/** Work that earlier tests left is put off, so that it is not due. */
beforeEach(async () => {
  const later = `now() + interval '1 day'`;
  for (const [, { table, endedLease }] of each) {
    const [column] = endedLease.split(' = ') as [string];
    await services.database.sql.query(`UPDATE ${table} SET ${column} = ${later} WHERE ${column} IS NOT NULL`);
  }
  for (const table of ['webhook_deliveries', 'webhook_events', 'journey_runs'])
    await services.database.sql.query(
      `UPDATE engagement.${table} SET due_at = ${later} WHERE due_at IS NOT NULL`,
    );
});

const inWorkspace = ({ table }: { readonly table: string }, sql: string) =>
  ctx.sql.query(sql.replace('TABLE', `${table} AS w`), [ctx.scope.workspaceId]);

/** Ends the leases, as if the worker with the last claim had been killed some time ago. */
const endLeases = (kind: (typeof kinds)[string]) =>
  inWorkspace(kind, `UPDATE TABLE SET ${kind.endedLease} WHERE workspace_id = $1`);

const givenUp = (kind: (typeof kinds)[string]) =>
  inWorkspace(kind, `SELECT 1 FROM TABLE WHERE workspace_id = $1 AND ${kind.givenUpIf}`);

test.each(each)(
  '%s: work during which two workers were lost is given up, with the reason',
  async (_, kind) => {
    await kind.given(ctx, 1);
    for (let round = 0; round < 2; round += 1) {
      expect(await kind.claim(worker())).toBe(1);
      await endLeases(kind);
    }
    expect(await givenUp(kind)).toHaveLength(0);
    await kind.loop.turn(worker());
    await kind.loop.drain?.(worker());
    await eventually(async () => expect(await givenUp(kind)).toHaveLength(1));
    expect(await kind.claim(worker())).toBe(0);
  },
);

test.each(each)('%s: work during which one worker was lost is done by the next worker', async (_, kind) => {
  await kind.given(ctx, 1);
  expect(await kind.claim(worker())).toBe(1);
  await endLeases(kind);
  await kind.loop.turn(worker());
  await kind.loop.drain?.(worker());
  expect(await givenUp(kind)).toHaveLength(0);
});

test('a message whose worker was killed twice while a provider had it is given up by the third', async () => {
  const api = await startMailApi();
  beforeClose(() => api.close());
  api.answerWith(() => new Promise<number>(() => {}));
  await givenProvider(contextOf(reaching(services, [api.host]), ctx.caller), api);
  await kinds['message']!.given(ctx, 1);
  const { newWorker } = useWorkers(used, () => ({ OUTBOUND_ALLOW: api.host }));
  for (let kill = 1; kill <= 2; kill += 1) {
    const running = await newWorker();
    await eventually(() => expect(api.mails).toHaveLength(kill));
    await killed(running);
    await endLeases(kinds['message']!);
  }
  const last = await newWorker();
  await eventually(async () => expect(await givenUp(kinds['message']!)).toHaveLength(1));
  await killed(last);
  expect(api.mails).toHaveLength(2);
}, 180_000);

test.each(inBatches)('%s: a claim takes one piece of those that lost their worker', async (_, kind) => {
  await kind.given(ctx, 3);
  expect(await kind.claim(worker())).toBe(3);
  await endLeases(kind);
  expect(await kind.claim(worker())).toBe(1);
});

test('a process does only one piece of work at a time that lost a worker, whatever its kind', async () => {
  const suspect = { claims: 2 };
  const first = await claimWork(services, async (maySuspect) => (maySuspect ? [suspect] : []));
  expect(first.suspect).toBe(suspect);
  const meanwhile = await claimWork(services, async (maySuspect) => [{ claims: maySuspect ? 2 : 1 }]);
  expect(meanwhile.suspect).toBeNull();
  first.ended();
  await expect(claimWork(services, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect((await claimWork(services, async () => [suspect])).suspect).toBe(suspect);
});

test('every claim of the product is of a kind that is given up, or says why it need not be', () => {
  const sources = globSync('{platform,worker,subgraphs/*}/src/**/*.ts', { cwd: root });
  const claiming = sources
    .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
    .filter((file) => readFileSync(`${root}/${file}`, 'utf8').includes('SKIP LOCKED'));
  const known = new Set([...each.map(([, { file }]) => file), ...Object.keys(exempt)]);
  expect(claiming.toSorted()).toEqual([...known].toSorted());
  const named = new Set([...each.map(([, { loop }]) => loop.name), ...Object.keys(exemptLoops)]);
  expect(loops.map(({ name }) => name).toSorted()).toEqual([...named].toSorted());
});
