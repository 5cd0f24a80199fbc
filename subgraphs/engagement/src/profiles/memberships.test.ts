import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import type { Condition } from '../conditions/condition.ts';
import { segmentChannel } from '../segments/segments.events.ts';
import { updateDue } from './computations.service.ts';
import {
  computed,
  givenSegment,
  membersIn,
  segmentRow,
  storedMemberships,
  update,
} from './memberships.fixture.ts';
import { isMemberOf, memberIdsOf } from './memberships.service.ts';
import { givenProfiles } from './profiles.fixture.ts';
import { deleteProfiles } from './profiles.store.ts';

const { services, ctx, newContext } = useServices();

const points = (value: number): Condition => ({ field: 'points_balance', operator: 'at_least', value });
const ordered = (count: number, within_days: number): Condition => ({
  event: 'order.created',
  count,
  within_days,
});
const tagged = (value: string): Condition => ({ field: 'tags', operator: 'includes_any', value: [value] });

const ids = (count: number) => Array.from({ length: count }, () => newId(services.clock));
const worker = () => contextOf(services, systemCaller('test'));
const due = async () => {
  while ((await updateDue(worker())) === 0);
};
const entered = (of: Context = ctx) => publishedEvents(of, 'segment.entered');
const left = (of: Context = ctx) => publishedEvents(of, 'segment.left');

let ann: string;
let ben: string;
let cas: string;
beforeEach(async () => {
  [ann, ben, cas] = ids(3) as [string, string, string];
  await givenProfiles(ctx, [
    { memberId: ann, pointsBalance: 500, tags: ['vip'] },
    { memberId: ben, pointsBalance: 100 },
    { memberId: cas, pointsBalance: 0, tags: ['vip'] },
  ]);
});

describe('a change of members', () => {
  test('moves them into segments and out, counts them, and publishes it', async () => {
    const rich = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    const vip = await givenSegment(ctx, tagged('vip'), { aspects: ['TAGS'] });
    await computed(ctx, rich, vip);
    await givenProfiles(ctx, [
      { memberId: ben, pointsBalance: 99 },
      { memberId: cas, pointsBalance: 100 },
    ]);
    await update(ctx, [ben, cas], new Set(['POINTS']));
    expect(await membersIn(ctx, rich)).toEqual([ann, cas]);
    expect(await entered()).toEqual([{ memberId: cas, segmentId: rich }]);
    expect(await left()).toEqual([{ memberId: ben, segmentId: rich }]);
    expect((await segmentRow(ctx, rich)).memberCount).toBe(2);
    // Aspects that were not passed as changed are not evaluated.
    expect(await membersIn(ctx, vip)).toEqual([ann, cas]);
    await update(ctx, [cas]);
    expect(await membersIn(ctx, vip)).toEqual([ann]);
  });

  test('is of one workspace and mode', async () => {
    const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    const [live, test] = [
      await givenSegment(ctx, points(1), { aspects: ['POINTS'] }),
      await givenSegment(sandbox, points(1), { aspects: ['POINTS'] }),
    ];
    await computed(ctx, live);
    await computed(sandbox, test);
    await givenProfiles(sandbox, [{ memberId: ann, pointsBalance: 5 }]);
    await update(sandbox, [ann]);
    expect(await membersIn(ctx, live)).toEqual([ann, ben]);
    expect([await membersIn(sandbox, test), await entered(sandbox), await entered()]).toEqual([
      [ann],
      [{ memberId: ann, segmentId: test }],
      [],
    ]);
  });

  test('that takes the profile away takes the member out', async () => {
    const rich = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    await computed(ctx, rich);
    await deleteProfiles(ctx, [ann]);
    await update(ctx, [ann]);
    expect(await membersIn(ctx, rich)).toEqual([ben]);
    expect(await left()).toEqual([{ memberId: ann, segmentId: rich }]);
  });

  test('leaves who stays with the time of entering, and no row where there is nothing to know', async () => {
    const rich = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    await computed(ctx, rich);
    services.clock.advance(DAY_MS);
    await givenProfiles(ctx, [{ memberId: ann, pointsBalance: 600 }]);
    await update(ctx, [ann, ben, cas]);
    expect(await storedMemberships(ctx)).toHaveLength(2);
    expect([await entered(), await left()]).toEqual([[], []]);
    const [row] = await ctx.sql.query<{ enteredAt: Date }>(
      `SELECT entered_at FROM engagement.segment_members WHERE member_id = $1`,
      [ann],
    );
    expect(row!.enteredAt).toEqual(new Date(services.clock.now().getTime() - DAY_MS));
  });

  test('of a hundred members and of fifty segments costs as many statements as one of one', async () => {
    for (let n = 0; n < 5; n += 1)
      await computed(ctx, await givenSegment(ctx, points(n * 10 + 1), { aspects: ['POINTS'] }));
    const many = ids(100);
    const cost = async (members: readonly string[]) => {
      await givenProfiles(
        ctx,
        members.map((memberId) => ({ memberId, pointsBalance: 1_000 })),
      );
      await update(ctx, members);
      await givenProfiles(
        ctx,
        members.map((memberId) => ({ memberId, pointsBalance: 0 })),
      );
      services.statements.length = 0;
      await update(ctx, members);
      return services.statements.length;
    };
    const one = await cost([many[0]!]);
    expect(await cost(many)).toBe(one);
    for (let n = 5; n < 50; n += 1)
      await computed(ctx, await givenSegment(ctx, points(n * 10 + 1), { aspects: ['POINTS'] }));
    expect(await cost(many)).toBe(one);
    expect(one).toBeLessThanOrEqual(8);
  });

  test('wakes the watchers of the segments whose size changed', async () => {
    const rich = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    const vip = await givenSegment(ctx, tagged('vip'), { aspects: ['TAGS'] });
    await computed(ctx, rich, vip);
    const woken: string[] = [];
    for (const id of [rich, vip])
      services.live.subscribe(segmentChannel(ctx.scope, id), (message) => woken.push(message));
    // Earlier notifications of the computations arrive before this one.
    await services.live.publish(segmentChannel(ctx.scope, vip), 'end');
    await eventually(() => expect(woken).toContain('end'));
    woken.length = 0;
    await givenProfiles(ctx, [{ memberId: cas, pointsBalance: 100, tags: ['vip'] }]);
    await update(ctx, [cas]);
    await eventually(() => expect(woken).toContain(rich));
    expect(woken).not.toContain(vip);
  });
});

describe('time', () => {
  test('alone takes members out of a segment and lets others in', async () => {
    const recent = await givenSegment(ctx, ordered(2, 30), { aspects: ['ORDERS'] });
    const away = await givenSegment(
      ctx,
      { op: 'not', conditions: [ordered(1, 10)] },
      { aspects: ['ORDERS'] },
    );
    await givenProfiles(
      ctx,
      [],
      [
        { memberId: ann, kind: 'ORDER' },
        { memberId: ann, kind: 'ORDER', occurredAt: new Date(services.clock.now().getTime() - 20 * DAY_MS) },
        { memberId: ben, kind: 'ORDER' },
      ],
    );
    await computed(ctx, recent, away);
    expect([await membersIn(ctx, recent), await membersIn(ctx, away)]).toEqual([[ann], [cas]]);
    services.clock.advance(9 * DAY_MS);
    await due();
    expect([await entered(), await left()]).toEqual([[], []]);
    services.clock.advance(DAY_MS + HOUR_MS);
    await due();
    expect([await membersIn(ctx, recent), await membersIn(ctx, away)]).toEqual([[], [ann, ben, cas]]);
    expect(await entered()).toEqual([
      { memberId: ann, segmentId: away },
      { memberId: ben, segmentId: away },
    ]);
    expect(await left()).toEqual([{ memberId: ann, segmentId: recent }]);
    expect(await segmentRow(ctx, away)).toMatchObject({ memberCount: 3 });
    expect(
      await worker().sql.query('SELECT 1 FROM engagement.segment_members WHERE recheck_at <= $1', [
        services.clock.now(),
      ]),
    ).toEqual([]);
  });

  test('is over once, however many workers see it', async () => {
    const recent = await givenSegment(ctx, ordered(1, 1), { aspects: ['ORDERS'] });
    const members = ids(300);
    await givenProfiles(
      ctx,
      members.map((memberId) => ({ memberId })),
    );
    await givenProfiles(
      ctx,
      [],
      members.map((memberId) => ({ memberId, kind: 'ORDER' })),
    );
    await computed(ctx, recent);
    services.clock.advance(2 * DAY_MS);
    await Promise.all([1, 2, 3, 4].map(() => updateDue(worker())));
    expect(await left()).toHaveLength(300);
    expect(await segmentRow(ctx, recent)).toMatchObject({ memberCount: 0 });
  });

  test('of a segment that is gone is over, too', async () => {
    const recent = await givenSegment(ctx, ordered(1, 1), { aspects: ['ORDERS'] });
    await givenProfiles(ctx, [], [{ memberId: ann, kind: 'ORDER' }]);
    await computed(ctx, recent);
    await ctx.sql.query('DELETE FROM engagement.segments WHERE id = $1', [recent]);
    services.clock.advance(2 * DAY_MS);
    await due();
    expect(await left()).toEqual([]);
  });
});

describe('the members of segments', () => {
  test('are listed in the order of their ids, each once, without those of excluded segments', async () => {
    const members = ids(50);
    await givenProfiles(
      ctx,
      members.map((memberId, place) => ({
        memberId,
        pointsBalance: place,
        tags: place % 2 ? ['odd'] : [],
      })),
    );
    const low = await givenSegment(ctx, { op: 'not', conditions: [points(40)] }, { aspects: ['POINTS'] });
    const high = await givenSegment(ctx, points(10), { aspects: ['POINTS'] });
    const odd = await givenSegment(ctx, tagged('odd'), { aspects: ['TAGS'] });
    await computed(ctx, low, high, odd);
    const wanted = [ann, ben, cas, ...members.filter((_, place) => place % 2 === 0)].toSorted();
    const found: string[] = [];
    for (let page: string[] = []; ; found.push(...page)) {
      page = await memberIdsOf(ctx, [low, high], {
        afterId: found.at(-1) ?? null,
        limit: 7,
        excludeIds: [odd],
      });
      if (page.length === 0) break;
    }
    expect(found).toEqual(wanted);
    expect(await isMemberOf(ctx, odd, [members[1]!, members[2]!, ann])).toEqual(new Set([members[1]]));
    const other = newContext();
    expect([await memberIdsOf(other, [low], { limit: 9 }), await isMemberOf(other, odd, members)]).toEqual([
      [],
      new Set(),
    ]);
  });
});
