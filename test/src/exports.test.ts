import { beforeEach, describe, expect, test } from '@jest/globals';
import { given as commerce } from '@loyalty/commerce-subgraph/commerce.fixture';
import { exportOrdersJob } from '@loyalty/commerce-subgraph/orders/orders.jobs';
import { poolOf } from '@loyalty/loyalty-subgraph/coupons/coupons.fixture';
import { exportedMembers } from '@loyalty/loyalty-subgraph/exports/exported-members';
import {
  exportCouponsJob,
  exportMembersJob,
  exportPointsJob,
  forgetExportsJob,
} from '@loyalty/loyalty-subgraph/exports/exports.jobs';
import { ask, given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import { awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import type { ExportDefinition } from '@loyalty/platform/exports/export-definition';
import { endStuckExportsJob, runExport } from '@loyalty/platform/exports/export-job';
import {
  cancelExport,
  downloadUrlOf,
  listExports,
  readFile,
  startExport,
  watchExport,
} from '@loyalty/platform/exports/exports.service';
import { type Export, findExport } from '@loyalty/platform/exports/exports.store';
import { audit, listAudit } from '@loyalty/platform/identity/audit';
import type { JobType } from '@loyalty/platform/work/jobs';
import { prunePlatformJob } from '@loyalty/platform/work/prune';
import { exportedAudit } from '@loyalty/workspace-subgraph/exports/exported-audit';
import { exportAuditJob } from '@loyalty/workspace-subgraph/exports/exports.jobs';
import { parse } from 'csv-parse/sync';
import { callerOf, contextOf } from './harness/services.ts';
import { useStack } from './harness/stack.ts';

const stack = useStack();

let token: string;
let ctx: Context;
beforeEach(async () => {
  const signedUp = await stack.signUp();
  token = signedUp.token;
  ctx = contextOf(stack.services, callerOf({ workspaceId: signedUp.workspaceId }));
});

type Row = Record<string, string>;

const product = (of = ctx): Context => contextOf(stack.services, systemCaller('test', of.scope));

/** Starts an export by its mutation as the signed-in user; returns its id. */
async function started(mutation: string, filter: object | null = null, format = 'CSV'): Promise<string> {
  const type = { startAuditExport: 'Audit', startOrderExport: 'Order', startMemberExport: 'Member' };
  const noun = type[mutation as keyof typeof type] ?? mutation.slice('start'.length, -'Export'.length);
  const input = `${noun}ExportFilter${noun === 'Coupon' ? '!' : ''}`;
  const query = `mutation ($filter: ${input}, $format: ExportFormat!) {
    made: ${mutation}(filter: $filter, format: $format) { id state total processed failed }
  }`;
  const { data, errors } = await stack.graph<{ made: { id: string } }>(query, { filter, format }, token);
  expect(errors).toBeUndefined();
  expect(data.made).toMatchObject({ state: 'QUEUED', processed: 0, failed: 0 });
  return data.made.id;
}

const FOUND = `query ($id: ID!) { export(id: $id) {
  kind format state filter total processed bytes fileName downloadUrl failure finishedAt expiresAt
  requestedBy { id }
} }`;
const found = async (id: string, as = token) => (await stack.graph(FOUND, { id }, as)).data!['export'];

/** Downloads the file of an export over its link, as a browser does. */
async function downloaded(id: string) {
  const { downloadUrl } = (await found(id))!;
  return fetch(`${stack.url}${new URL(downloadUrl).pathname}`);
}

/** Starts an export, runs its job and parses the file with a library. */
async function written(
  job: JobType<{ listExportId: string }>,
  mutation: string,
  filter: object | null = null,
): Promise<Row[]> {
  const id = await started(mutation, filter);
  await job.run(product(), { listExportId: id });
  const answer = await downloaded(id);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text) + 3);
  return parse(text, { bom: true, columns: true }) as Row[];
}

describe('an export contains', () => {
  test('members with the columns and the filter of the list that staff see', async () => {
    const { id } = await given.member(ctx, {
      ...{ email: 'ada@example.com', fullName: 'Ada, "the first"', phone: '+351912345678' },
      externalId: '=cmd()',
    });
    const other = await given.member(ctx);
    await awardPoints(ctx, id, { amount: 5 });
    const [row, ...more] = await written(exportMembersJob, 'startMemberExport', { pointsMin: 1 });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      ...{ id, external_id: "'=cmd()", name: 'Ada, "the first"', email: 'ada@example.com' },
      ...{ phone: "'+351912345678", status: 'ACTIVE', points_balance: '5', points_earned: '5' },
      created_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/),
    });
    const masked = await written(exportMembersJob, 'startMemberExport', { masked: true });
    expect(masked.map(({ id: each, email }) => [each, email])).toEqual([
      [other.id, expect.stringContaining('***')],
      [id, 'a***@e***.com'],
    ]);
  });

  test('points by member and day', async () => {
    const [one, two] = [await given.member(ctx), await given.member(ctx)];
    await awardPoints(ctx, one.id, { amount: 5, description: 'Welcome' });
    await awardPoints(ctx, two.id, { amount: 7 });
    expect(await written(exportPointsJob, 'startPointsExport', { memberId: one.id })).toMatchObject([
      { member_id: one.id, kind: 'AWARD', amount: '5', balance_after: '5', description: 'Welcome' },
    ]);
    const today = stack.services.clock.now().toISOString().slice(0, 10);
    const days = { from: today, to: today };
    expect(await written(exportPointsJob, 'startPointsExport', days)).toHaveLength(2);
    const before = { to: '2020-01-01' };
    expect(await written(exportPointsJob, 'startPointsExport', before)).toEqual([]);
  });

  test('orders with amounts as decimals of their currency', async () => {
    const member = await commerce.member(ctx);
    const { id } = await commerce.order(ctx, { memberId: member.id, total: 1_250n, discount: 5n });
    await commerce.order(ctx, { currency: 'JPY', total: 1_250n });
    expect(await written(exportOrdersJob, 'startOrderExport', { memberId: member.id })).toMatchObject([
      { id, currency: 'EUR', total: '12.50', discount: '0.05', refunded_total: '0.00', tax: '' },
    ]);
    const all = await written(exportOrdersJob, 'startOrderExport');
    expect(all.map(({ total }) => total).toSorted()).toEqual(['12.50', '1250']);
  });

  test('codes of a pool by their status', async () => {
    const pool = await poolOf(ctx, 2);
    await poolOf(ctx, 1);
    const rows = await written(exportCouponsJob, 'startCouponExport', {
      poolId: pool.id,
      status: 'AVAILABLE',
    });
    expect(rows).toMatchObject([
      { pool_id: pool.id, status: 'AVAILABLE', code: expect.any(String) },
      { pool_id: pool.id, status: 'AVAILABLE', code: expect.any(String) },
    ]);
  });

  test('entries of the audit log, and one that says who exported what', async () => {
    await audit(ctx, { action: 'tested', resourceType: 'Test', resourceId: '1', after: { size: 4 } });
    const rows = await written(exportAuditJob, 'startAuditExport', { action: 'tested' });
    expect(rows).toMatchObject([{ action: 'tested', resource_type: 'Test', after: '{"size":4}' }]);
    const id = await started('startMemberExport', { search: 'ada@example.com', status: 'ACTIVE' });
    const page = { size: 10, cursorId: null, isBackward: false, offset: 0 };
    const { rows: entries } = await listAudit(ctx, page, { action: 'startExport', resourceId: id });
    expect(entries).toMatchObject([
      { after: { kind: 'MEMBERS', rows: 0, filter: { search: '***', status: 'ACTIVE' } } },
    ]);
  });

  test('JSON Lines on request; an empty list gives an empty file, or a file with only a header', async () => {
    const { id } = await given.member(ctx, { externalId: '=cmd()' });
    const lines = await started('startMemberExport', null, 'JSON_LINES');
    await exportMembersJob.run(product(), { listExportId: lines });
    const answer = await downloaded(lines);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(JSON.parse(await answer.text())).toMatchObject({ id, external_id: '=cmd()', points_balance: 0 });
    const empty = await started('startOrderExport', null, 'JSON_LINES');
    await exportOrdersJob.run(product(), { listExportId: empty });
    expect(await (await downloaded(empty)).text()).toBe('');
    expect(await written(exportOrdersJob, 'startOrderExport')).toEqual([]);
  });

  test('nothing if its conditions are invalid: they are refused before anything is queued', async () => {
    const query = `mutation { startMemberExport(filter: { pointsMin: 2, pointsMax: 1 }, format: CSV) { id } }`;
    const { errors } = await stack.graph(query, {}, token);
    expect(errors?.[0]?.extensions['reason']).toBe('VALIDATION_FAILED');
    expect((await listExports(ctx, {})).rows).toEqual([]);
  });
});

describe('the download', () => {
  async function done(): Promise<string> {
    await given.member(ctx);
    const id = await started('startMemberExport');
    await exportMembersJob.run(product(), { listExportId: id });
    return id;
  }

  test('is a file that may not be cached, and needs no credential', async () => {
    const id = await done();
    const answer = await downloaded(id);
    const { fileName } = (await found(id))!;
    expect(fileName).toMatch(/^members-\d{4}-\d\d-\d\d\.csv$/);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${fileName}"`);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await found(id)).toMatchObject({ state: 'COMPLETED', total: 1, processed: 1, failure: null });
  });

  test('is 404 after a quarter of an hour, and with a changed link', async () => {
    const id = await done();
    const url = (await downloadUrlOf(ctx, (await findExport(ctx, id))!))!;
    const path = new URL(url).pathname;
    const status = async (of: string) => (await fetch(`${stack.url}${of}`)).status;
    expect(await status(path)).toBe(200);
    expect(await status(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)).toBe(404);
    expect(await status('/downloads/x')).toBe(404);
    stack.services.clock.advance(15 * MINUTE_MS + 1_000);
    expect(await status(path)).toBe(404);
  });

  test('another workspace and mode see nothing of it', async () => {
    const id = await done();
    const other = await stack.signUp();
    expect(await found(id, other.token)).toBeNull();
    const foreign = contextOf(stack.services, callerOf());
    const sandbox = contextOf(stack.services, callerOf({ ...ctx.scope, mode: 'TEST' }));
    for (const each of [foreign, sandbox]) {
      expect(await findExport(each, id)).toBeNull();
      await expect(cancelExport(each, id)).rejects.toMatchObject({ code: 'LIST_EXPORT_NOT_FOUND' });
      await expect(watchExport(each, id)).rejects.toMatchObject({ code: 'LIST_EXPORT_NOT_FOUND' });
    }
  });

  test('is gone after seven days, with its row', async () => {
    const id = await done();
    stack.services.clock.advance(7 * DAY_MS);
    expect(await findExport(ctx, id)).toBeNull();
    await prunePlatformJob.run(product(), {});
    expect(await ctx.sql.query('SELECT 1 FROM platform.exports WHERE id = $1', [id])).toEqual([]);
    expect(await ctx.sql.query('SELECT 1 FROM platform.export_parts WHERE export_id = $1', [id])).toEqual([]);
  });

  test('is gone when a member is erased, and one that is being written fails', async () => {
    const id = await done();
    const running = await started('startMemberExport', { search: 'ada@example.com' });
    await forgetExportsJob.run(product(), { memberId: (await given.member(ctx)).id });
    expect(await found(id)).toBeNull();
    expect(await found(running)).toMatchObject({ state: 'FAILED', filter: null, downloadUrl: null });
    const parts = 'SELECT 1 FROM platform.export_parts WHERE workspace_id = $1';
    expect(await ctx.sql.query(parts, [ctx.scope.workspaceId])).toEqual([]);
  });

  test('is sealed where it is stored, as its conditions are', async () => {
    await given.member(ctx, { email: 'marker@example.com' });
    const id = await started('startMemberExport', { search: 'marker@example.com' });
    await exportMembersJob.run(product(), { listExportId: id });
    const [row] = await ctx.sql.query<{ text: string }>(
      `SELECT encode(x.filter_sealed || p.sealed, 'escape') AS text FROM platform.exports AS x
         JOIN platform.export_parts AS p ON p.export_id = x.id WHERE x.id = $1`,
      [id],
    );
    expect(row!.text).not.toContain('marker');
    expect(await (await downloaded(id)).text()).toContain('marker@example.com');
  });
});

test('only administrators export and see exports', async () => {
  const id = await started('startMemberExport');
  const key = await stack.key(token);
  const asked = [FOUND.replace('query ($id: ID!)', 'query').replace('$id', `"${id}"`)];
  asked.push(
    ...['Member', 'Points', 'Order', 'Audit'].map(
      (noun) => `mutation { start${noun}Export(format: CSV) { id } }`,
    ),
    `mutation { startCouponExport(filter: { poolId: "${id}" }, format: CSV) { id } }`,
    `mutation { cancelExport(id: "${id}") { id } }`,
  );
  for (const query of asked) {
    const { errors } = await stack.graph(query, {}, key.secret);
    expect([query, errors?.[0]?.extensions['code']]).toEqual([query, 'FORBIDDEN']);
  }
  const { workspaceId } = ctx.scope;
  const staff = contextOf(stack.services, callerOf({ workspaceId, role: 'MEMBER' }));
  const query = 'mutation { startMemberExport(format: CSV) { id } }';
  await expect(ask(staff, query)).rejects.toMatchObject({ code: 'ROLE_REQUIRED' });
});

describe('the job', () => {
  const members = exportedMembers as ExportDefinition<object>;
  const startMembers = (of = ctx) => startExport(of, members, { format: 'CSV', conditions: {} });
  async function textOf(id: string): Promise<string> {
    let text = '';
    for await (const part of readFile(ctx, (await findExport(ctx, id))!)) text += part;
    return text;
  }
  const idsIn = (text: string) => (parse(text, { bom: true, columns: true }) as Row[]).map(({ id }) => id);
  async function people(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let each = 0; each < count; each += 1) ids.push((await given.member(ctx)).id);
    return ids.toReversed();
  }
  /** A list of members that fails at its page number `turn`, as if the process were killed there. */
  const dyingAt = (turn: number): ExportDefinition<object> => {
    let turns = 0;
    return {
      ...members,
      async open(of, filter) {
        const list = await members.open(of, filter);
        return {
          ...list,
          async read(tx, after, size) {
            const page = await list.read(tx, after, size);
            turns += 1;
            if (turns === turn) throw new Error('killed');
            return page;
          },
        };
      },
    };
  };

  test('that was killed continues after its last stored page, and loses and doubles nothing', async () => {
    const ids = await people(5);
    const { id } = await startMembers();
    await expect(runExport(product(), dyingAt(2), id, 2)).rejects.toThrow('killed');
    expect(await findExport(ctx, id)).toMatchObject({ status: 'RUNNING', processed: 2, parts: 1 });
    await given.member(ctx);
    await runExport(product(), members, id, 2);
    expect(idsIn(await textOf(id))).toEqual(ids);
    expect(await findExport(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 5, total: 5 });
    await runExport(product(), members, id, 2);
    expect(idsIn(await textOf(id))).toEqual(ids);
  });

  test('that two workers run at once is written by the later one alone', async () => {
    const ids = await people(6);
    const { id } = await startMembers();
    let begun = false;
    const first: ExportDefinition<object> = {
      ...members,
      async open(of, filter) {
        const list = await members.open(of, filter);
        return {
          ...list,
          async read(tx, after, size) {
            const page = await list.read(tx, after, size);
            if (after && !begun) {
              begun = true;
              await runExport(product(), members, id, 2);
            }
            return page;
          },
        };
      },
    };
    await runExport(product(), first, id, 2);
    expect(begun).toBe(true);
    expect(idsIn(await textOf(id))).toEqual(ids);
    expect(await findExport(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 6, parts: 3 });
  });

  test('takes as many statements for a page of one as for a page of many', async () => {
    await people(12);
    const count = async (size: number): Promise<number> => {
      const { id } = await startMembers();
      stack.services.statements.length = 0;
      await runExport(product(), members, id, size);
      const { parts } = (await findExport(ctx, id))!;
      const reads = stack.services.statements.filter((text) => text.includes('loyalty.'));
      return reads.length / parts;
    };
    expect(await count(2)).toBe(await count(6));
  });

  test('writes nothing more once it is cancelled, and its file is gone', async () => {
    await people(4);
    const { id } = await startMembers();
    await expect(runExport(product(), dyingAt(2), id, 2)).rejects.toThrow('killed');
    const cancelled = await cancelExport(ctx, id);
    expect(cancelled.status).toBe('CANCELLED');
    expect(await cancelExport(ctx, id)).toMatchObject({ status: 'CANCELLED' });
    await runExport(product(), members, id, 2);
    expect(await findExport(ctx, id)).toMatchObject({ status: 'CANCELLED', processed: 2 });
    expect(await ctx.sql.query('SELECT 1 FROM platform.export_parts WHERE export_id = $1', [id])).toEqual([]);
  });

  test('that is done cannot be cancelled', async () => {
    const { id } = await startMembers();
    await runExport(product(), members, id);
    await expect(cancelExport(ctx, id)).rejects.toMatchObject({ code: 'LIST_EXPORT_FINISHED' });
  });

  test('is watched to its end', async () => {
    await people(3);
    const { id } = await startMembers();
    const seen: Export[] = [];
    const watched = await watchExport(ctx, id);
    const watching = (async () => {
      for await (const each of watched) seen.push(each);
    })();
    await runExport(product(), members, id, 2);
    await watching;
    expect(seen.at(-1)).toMatchObject({ status: 'COMPLETED', processed: 3 });
  });

  test('without progress for a day is given up, and its place is free', async () => {
    const { id } = await startMembers();
    stack.services.clock.advance(DAY_MS + 1);
    await endStuckExportsJob.run(product(), {});
    expect(await findExport(ctx, id)).toMatchObject({ status: 'FAILED', failure: expect.any(String) });
  });
});

describe('exports at once', () => {
  const start = (of: Context) => startExport(of, exportedAudit, { format: 'CSV', conditions: {} });

  test('are at most three in a workspace, however they race; the end of one makes room', async () => {
    const calls = Array.from({ length: 6 }, () => start(contextOf(stack.services, ctx.caller)));
    const ended = await Promise.allSettled(calls);
    const refused = ended.filter(({ status }) => status === 'rejected');
    expect(refused.map((each) => (each as PromiseRejectedResult).reason.code)).toEqual([
      ...['EXPORTS_UNDER_WAY', 'EXPORTS_UNDER_WAY', 'EXPORTS_UNDER_WAY'],
    ]);
    await start(contextOf(stack.services, callerOf()));
    const { rows } = await listExports(ctx, {});
    await cancelExport(ctx, rows[0]!.id);
    await start(ctx);
    expect((await listExports(ctx, {})).rows).toHaveLength(4);
  });
});
