import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import type { Condition } from '../conditions/condition.ts';
import { computeRange, computeSegment, recordFailedComputation } from './computations.service.ts';
import {
  computed,
  givenSegment,
  membersIn,
  redefine,
  segmentRow,
  sizesOf,
  update,
} from './memberships.fixture.ts';
import { requestComputation } from './memberships.service.ts';
import { givenProfiles } from './profiles.fixture.ts';
import { deleteProfiles } from './profiles.store.ts';

const { services, ctx } = useServices();

const points = (value: number): Condition => ({ field: 'points_balance', operator: 'at_least', value });
const tagged = (value: string): Condition => ({ field: 'tags', operator: 'includes_any', value: [value] });

const ids = (count: number) => Array.from({ length: count }, () => newId(services.clock));
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

describe('a computation', () => {
  test('goes from the first member to the last in ranges, and notifies nobody', async () => {
    const members = ids(97);
    await givenProfiles(
      ctx,
      members.map((memberId, place) => ({ memberId, pointsBalance: place })),
    );
    const half = await givenSegment(ctx, points(50), { aspects: ['POINTS'] });
    expect(await segmentRow(ctx, half)).toMatchObject({ computedVersion: null, computedAt: null });
    let ranges = 1;
    while (await computeRange(ctx, half, 10)) ranges += 1;
    // Ten ranges of 100 members, and an empty one after the last member.
    expect(ranges).toBe(11);
    expect(await membersIn(ctx, half)).toEqual([ann, ben, ...members.slice(50)].toSorted());
    expect(await segmentRow(ctx, half)).toEqual({
      memberCount: 49,
      computedVersion: 1,
      computedAt: services.clock.now(),
      computedToId: null,
      failure: null,
    });
    expect([await entered(), await left()]).toEqual([[], []]);
    expect(await sizesOf(ctx, half)).toEqual([{ hour: services.clock.now(), memberCount: 49 }]);
  });

  test('starts again where the definition changes meanwhile', async () => {
    const members = ids(20);
    await givenProfiles(
      ctx,
      members.map((memberId) => ({ memberId, pointsBalance: 50 })),
    );
    const segment = await givenSegment(ctx, points(1), { aspects: ['POINTS'] });
    await computeRange(ctx, segment, 5);
    await computeRange(ctx, segment, 5);
    await redefine(ctx, segment, points(400));
    await computeSegment(ctx, segment, 5);
    expect(await membersIn(ctx, segment)).toEqual([ann]);
    expect(await segmentRow(ctx, segment)).toMatchObject({ memberCount: 1, computedVersion: 2 });
    expect([await entered(), await left()]).toEqual([[], []]);
  });

  test('is done once, whoever takes part in it', async () => {
    const members = ids(100);
    await givenProfiles(
      ctx,
      members.map((memberId) => ({ memberId, pointsBalance: 50 })),
    );
    const segment = await givenSegment(ctx, points(50), { aspects: ['POINTS'] });
    await Promise.all([1, 2, 3].map(() => computeSegment(ctx, segment, 7)));
    expect(await segmentRow(ctx, segment)).toMatchObject({ memberCount: 102, computedVersion: 1 });
    await computeSegment(ctx, segment);
    expect(await segmentRow(ctx, segment)).toMatchObject({ memberCount: 102 });
  });

  test('of a segment is one of those that contain it, at any depth', async () => {
    const inner = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    const middle = await givenSegment(
      ctx,
      { op: 'and', conditions: [{ segment: inner }, tagged('vip')] },
      { aspects: ['POINTS', 'TAGS'], nestedIds: [inner] },
    );
    const outer = await givenSegment(
      ctx,
      { op: 'not', conditions: [{ segment: middle }] },
      { aspects: ['POINTS', 'TAGS'], nestedIds: [middle] },
    );
    await computed(ctx, inner, middle, outer);
    expect([await membersIn(ctx, middle), await membersIn(ctx, outer)]).toEqual([[ann], [ben, cas]]);
    await redefine(ctx, inner, points(0));
    // Before it is computed, no member enters because of the definition.
    await update(ctx, [cas]);
    expect([await membersIn(ctx, middle), await entered(), await left()]).toEqual([[ann, cas], [], []]);
    await computed(ctx, inner, middle, outer);
    expect([await membersIn(ctx, middle), await membersIn(ctx, outer)]).toEqual([[ann, cas], [ben]]);
    expect(await segmentRow(ctx, outer)).toMatchObject({ memberCount: 1, computedVersion: 1 });
    const requested = await publishedEvents(ctx, 'engagement.segment_computation_requested');
    expect(
      requested
        .slice(-3)
        .map(({ segmentId }) => segmentId)
        .toSorted(),
    ).toEqual([inner, middle, outer].toSorted());
    await givenProfiles(ctx, [{ memberId: ben, pointsBalance: 1, tags: ['vip'] }]);
    await update(ctx, [ben], new Set(['TAGS']));
    expect(await entered()).toEqual([{ memberId: ben, segmentId: middle }]);
    expect(await left()).toEqual([{ memberId: ben, segmentId: outer }]);
  });

  test('leaves changes of members who are not computed yet unpublished', async () => {
    const segment = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    await computeRange(ctx, segment, 1);
    await givenProfiles(ctx, [
      { memberId: ann, pointsBalance: 0 },
      { memberId: cas, pointsBalance: 100 },
    ]);
    await update(ctx, [ann, cas]);
    expect([await entered(), await left()]).toEqual([[], [{ memberId: ann, segmentId: segment }]]);
    await computeSegment(ctx, segment);
    expect(await membersIn(ctx, segment)).toEqual([ben, cas]);
  });

  test('takes those out who have no profile any more', async () => {
    const segment = await givenSegment(ctx, points(0), { aspects: ['POINTS'] });
    await computed(ctx, segment);
    await deleteProfiles(ctx, [ann, cas]);
    await ctx.transaction((tx) => requestComputation(tx, segment));
    await computed(ctx, segment);
    expect([await membersIn(ctx, segment), await segmentRow(ctx, segment)]).toMatchObject([
      [ben],
      { memberCount: 1 },
    ]);
  });

  test('that is given up says why, until the next request', async () => {
    const segment = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    await recordFailedComputation(ctx, segment, 'too large');
    expect(await segmentRow(ctx, segment)).toMatchObject({ failure: 'too large', computedToId: null });
    await ctx.transaction((tx) => requestComputation(tx, segment));
    await computed(ctx, segment);
    expect(await segmentRow(ctx, segment)).toMatchObject({ failure: null, memberCount: 2 });
  });

  test('before every member has a profile, members come in unpublished', async () => {
    const segment = await givenSegment(ctx, points(100), { aspects: ['POINTS'] });
    await computed(ctx, segment);
    const [late] = await givenProfiles(ctx, [{ pointsBalance: 100 }]);
    await ctx.sql.query('UPDATE engagement.profile_syncs SET rebuilt_at = NULL WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    await update(ctx, [late!]);
    expect([await segmentRow(ctx, segment), await entered()]).toMatchObject([{ memberCount: 3 }, []]);
  });
});
