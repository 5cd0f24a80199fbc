import { expect, test } from '@jest/globals';
import { listRanges } from '@loyalty/loyalty-subgraph/members/members.service';
import { cutoffAt, readMembers } from '@loyalty/model-subgraph/facts/statistics.service';
import { NO_ID } from '@loyalty/platform/base/ids';
import { useServices } from '../../harness/services.ts';
import { generateMembers } from './generate-members.ts';

const { services, ctx, fresh } = useServices({ at: new Date().toISOString() });
const MEMBERS = 2_000;

type Row = Record<string, unknown>;

test('generated members have the statistics that the product folds from their facts', async () => {
  const { workspaceId } = ctx.scope;
  const to = { databaseUrl: services.url, workspaceId, timeZone: 'UTC', members: MEMBERS, seed: 7 };
  await generateMembers(to, () => {});
  const stored = await statistics();
  expect(stored.length).toBeGreaterThan(MEMBERS / 2);
  await ctx.sql.query(
    `UPDATE model.member_statistics SET is_dirty = true, decayed_adds = -1, purchase_days = -1
      WHERE workspace_id = $1`,
    [workspaceId],
  );
  const ids = stored.map((row) => String(row['memberId']));
  const { pool } = await readMembers(ctx, ids, await cutoffAt(ctx, ctx.clock.now()));
  const folded = await statistics();
  expect(folded.map(rounded)).toEqual(stored.map(rounded));
  const sum = (column: string) => folded.reduce((total, row) => total + Number(row[column]), 0);
  expect(pool).toEqual({ adds: sum('cartAdds'), removes: sum('cartRemoves') });
  expect([sum('cartRemoves') > 0, sum('buySessions') > 0, sum('logSum') > 0]).toEqual([true, true, true]);
});

test('ids are in the order of joining, and all but two in a hundred may be analysed', async () => {
  const context = fresh();
  const { workspaceId } = context.scope;
  const to = { databaseUrl: services.url, workspaceId, timeZone: 'UTC', members: MEMBERS, seed: 8 };
  await generateMembers(to, () => {});
  const wanted = { afterId: NO_ID, createdBy: context.clock.now(), size: 1_000, ranges: 10 };
  expect((await listRanges(context, wanted)).members).toBe(MEMBERS * 0.98);
  const rows = await context.sql.query<{ id: string; at: Date }>(
    'SELECT id, created_at AS at FROM loyalty.members WHERE workspace_id = $1 ORDER BY created_at',
    [workspaceId],
  );
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
  expect(rows.map(({ id }) => Number.parseInt(id.replace('-', '').slice(0, 12), 16))).toEqual(
    rows.map(({ at }) => at.getTime()),
  );
});

const statistics = () =>
  ctx.sql.query<Row>('SELECT * FROM model.member_statistics WHERE workspace_id = $1 ORDER BY member_id', [
    ctx.scope.workspaceId,
  ]);

const rounded = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ]),
  );
