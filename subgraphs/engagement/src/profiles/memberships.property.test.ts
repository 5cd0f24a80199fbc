import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import type { Aspect, Condition } from '../conditions/condition.ts';
import { memberFields } from '../conditions/member-fields.ts';
import { aspectsOf } from '../conditions/named-things.ts';
import { operatorsOf } from '../conditions/operators.ts';
import { meets, type PlainMember } from '../conditions/plain-conditions.fixture.ts';
import { conditionTree, occurrence, PRESENT, profile } from '../conditions/random-conditions.fixture.ts';
import { updateDue } from './computations.service.ts';
import { computed, givenSegment, segmentRow, storedMemberships, update } from './memberships.fixture.ts';
import { requestComputation } from './memberships.service.ts';
import { givenProfiles } from './profiles.fixture.ts';
import {
  deleteProfiles,
  type OccurrenceKind,
  type OccurrenceRow,
  type ProfileRow,
} from './profiles.store.ts';

const MEMBERS = 20;
const TREES = 6;
const RUNS = 40;

const { services, newContext } = useServices();

/** A segment with its condition, in which nested segments are replaced by their definitions. */
interface PlainSegment {
  readonly id: string;
  readonly condition: Condition;
}

/** The expected state of a workspace. */
interface Workspace {
  readonly ctx: Context;
  readonly members: Map<string, PlainMember>;
  readonly segments: PlainSegment[];
}

type Happened = Omit<OccurrenceRow, 'memberId' | 'refId'>;
type Change =
  | {
      readonly kind: 'PROFILE';
      readonly places: readonly number[];
      readonly profiles: readonly Partial<ProfileRow>[];
    }
  | { readonly kind: 'OCCURRENCE'; readonly place: number; readonly happened: readonly Happened[] }
  | { readonly kind: 'FORGOTTEN'; readonly place: number }
  | { readonly kind: 'TIME'; readonly hours: number };

const place = fc.nat({ max: MEMBERS - 1 });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('PROFILE' as const),
      places: fc.uniqueArray(place, { minLength: 1, maxLength: 5 }),
      profiles: fc.array(profile, { minLength: 5, maxLength: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('OCCURRENCE' as const),
      place,
      happened: fc.array(occurrence, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('FORGOTTEN' as const), place }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('TIME' as const),
      hours: fc.constantFrom(1, 5, 24, 25, 30 * 24, 100 * 24, 401 * 24),
    }),
  },
);

const scenario = fc.record({
  trees: fc.array(conditionTree(4), { minLength: TREES, maxLength: TREES }),
  /** Two segments that contain others: one with `and`, the other with `not`. */
  nested: fc.array(fc.tuple(fc.nat({ max: TREES - 1 }), conditionTree(1)), { minLength: 2, maxLength: 2 }),
  profiles: fc.array(profile, { minLength: MEMBERS, maxLength: MEMBERS }),
  happened: fc.array(fc.array(occurrence, { maxLength: 6 }), { minLength: MEMBERS, maxLength: MEMBERS }),
  changes: fc.array(change, { minLength: 6, maxLength: 10 }),
});

const seen = new Set<string>();
let moved = 0;

test('members come and go as a plain evaluation says, by changes, by time and by computation', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      services.clock.set(new Date(PRESENT));
      const workspace = await opened(given);
      const { ctx, segments } = workspace;
      let before = await expectMembers(workspace);
      const published = { entered: 0, left: 0 };
      for (const each of given.changes) {
        await apply(workspace, each);
        const now = await expectMembers(workspace);
        await expectPublished(ctx, published, before, now);
        before = now;
      }
      for (const { id } of segments) await ctx.transaction((tx) => requestComputation(tx, id));
      await computed(ctx, ...segments.map(({ id }) => id));
      await expectMembers(workspace);
      await expectPublished(ctx, published, before, before);
      await closed(ctx);
    }),
    { numRuns: RUNS, seed: 15 },
  );
  expect(moved).toBeGreaterThan(RUNS * 10);
  const every = Object.entries(operatorsOf).flatMap(([type, operators]) =>
    Object.keys(operators).map((operator) => `${type} ${operator}`),
  );
  expect(every.filter((each) => !seen.has(each))).toEqual([]);
}, 300_000);

type Scenario = typeof scenario extends fc.Arbitrary<infer Given> ? Given : never;

async function opened({ trees, nested, profiles, happened }: Scenario): Promise<Workspace> {
  const ctx = newContext();
  const members = new Map<string, PlainMember>();
  for (const [number, row] of profiles.entries()) {
    const memberId = newId(ctx.clock);
    const occurrences = happened[number]!.map((each) => ({ ...each, memberId, refId: newId(ctx.clock) }));
    members.set(memberId, { profile: { ...row, memberId } as ProfileRow, occurrences });
  }
  await write(ctx, [...members.values()]);
  const segments: PlainSegment[] = [];
  for (const condition of trees) {
    note(condition);
    const id = await givenSegment(ctx, condition, { aspects: [...aspectsOf(condition)] });
    segments.push({ id, condition });
  }
  for (const [number, tree] of nested) {
    const inner = segments[number]!;
    const not_in: Condition = { segment: inner.id, operator: 'not_in' };
    const condition: Condition = {
      op: 'or',
      conditions: [{ op: 'not', conditions: [inner.condition] }, tree],
    };
    const definition: Condition = { op: 'or', conditions: [not_in, tree] };
    const aspects = [...aspectsOf(condition)];
    segments.push({ id: await givenSegment(ctx, definition, { aspects, nestedIds: [inner.id] }), condition });
  }
  await computed(ctx, ...segments.map(({ id }) => id));
  return { ctx, members, segments };
}

function note(condition: Condition): void {
  if ('op' in condition) condition.conditions.forEach(note);
  if (!('field' in condition)) return;
  const type = memberFields.find(({ key }) => key === condition.field)?.type;
  if (type) seen.add(`${type} ${condition.operator}`);
}

async function write(ctx: Context, members: readonly PlainMember[]): Promise<void> {
  await givenProfiles(
    ctx,
    members.map((each) => each.profile),
    members.flatMap((each) => each.occurrences),
  );
}

const aspectOfKind: Readonly<Record<OccurrenceKind, (name: string) => Aspect>> = {
  ORDER: () => 'ORDERS',
  VISIT: () => 'VISITS',
  COUPON_ISSUED: () => 'COUPONS',
  COUPON_REDEEMED: () => 'COUPONS',
  TRACKED: (name) => `TRACKED:${name}`,
  RECORD: (name) => `RECORD:${name}`,
};

/** All aspects of a profile, without occurrences. */
const ofProfile = new Set<Aspect>(['CUSTOM', ...memberFields.map(({ aspect }) => aspect)]);

async function apply({ ctx, members }: Workspace, made: Change): Promise<void> {
  const ids = [...members.keys()];
  if (made.kind === 'TIME') {
    services.clock.advance(made.hours * HOUR_MS);
    while ((await updateDue(contextOf(services, systemCaller('test')))) === 0);
    return;
  }
  if (made.kind === 'FORGOTTEN') {
    const id = ids[made.place % ids.length];
    if (!id) return;
    members.delete(id);
    await deleteProfiles(ctx, [id]);
    await update(ctx, [id]);
    return;
  }
  const places = made.kind === 'PROFILE' ? made.places : [made.place];
  const changed = [...new Set(places.map((each) => ids[each % ids.length]!))].filter(Boolean);
  for (const [number, id] of changed.entries()) {
    const old = members.get(id)!;
    const more = made.kind === 'PROFILE' ? [] : made.happened;
    const occurrences = more.map((each) => ({ ...each, memberId: id, refId: newId(ctx.clock) }));
    const now = made.kind === 'PROFILE' ? made.profiles[number]! : {};
    members.set(id, {
      profile: { ...old.profile, ...now },
      occurrences: [...old.occurrences, ...occurrences],
    });
  }
  await write(
    ctx,
    changed.map((id) => members.get(id)!),
  );
  const aspects =
    made.kind === 'PROFILE' ? ofProfile : made.happened.map(({ kind, name }) => aspectOfKind[kind](name));
  await update(ctx, changed, new Set(aspects));
}

type Pair = `${string} ${string}`;

/** Compares rows and counts with the plain evaluation. Returns the pairs of member and segment. */
async function expectMembers({ ctx, members, segments }: Workspace): Promise<ReadonlySet<Pair>> {
  const now = ctx.clock.now().getTime();
  const expected = new Set<Pair>();
  for (const { id, condition } of segments) {
    let count = 0;
    for (const [memberId, member] of members)
      if (meets(condition, member, now)) {
        expected.add(`${id} ${memberId}`);
        count += 1;
      }
    expect((await segmentRow(ctx, id)).memberCount).toBe(count);
  }
  const stored = await storedMemberships(ctx);
  const found = stored.filter(({ isMember }) => isMember).map((row) => `${row.segmentId} ${row.memberId}`);
  expect(found.toSorted()).toEqual([...expected].toSorted());
  return expected;
}

/** The published events are exactly the difference. */
async function expectPublished(
  ctx: Context,
  published: { entered: number; left: number },
  before: ReadonlySet<Pair>,
  now: ReadonlySet<Pair>,
): Promise<void> {
  const differences = {
    entered: [...now].filter((each) => !before.has(each)),
    left: [...before].filter((each) => !now.has(each)),
  };
  for (const which of ['entered', 'left'] as const) {
    const all = await publishedEvents(ctx, `segment.${which}`);
    const news = all.slice(published[which]).map(({ segmentId, memberId }) => `${segmentId} ${memberId}`);
    expect(news.toSorted()).toEqual(differences[which].toSorted());
    published[which] = all.length;
    moved += news.length;
  }
}

/** Clears due rows, so that later runs do not evaluate them. */
async function closed(ctx: Context): Promise<void> {
  await ctx.sql.query('DELETE FROM engagement.segment_members WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
}
