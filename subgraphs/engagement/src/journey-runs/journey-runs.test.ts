import { expect, test } from '@jest/globals';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { encodeCursor } from '@loyalty/platform/database/pages';
import { useServices } from '@loyalty/test/harness/services';
import { listCurrentRuns, listMemberRuns } from './journey-runs.service.ts';
import { enter, givenJourney, graphOfNodes, moveAll } from './runs.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
const member = () => newId(services.clock);

const twoWaits = graphOfNodes([
  { id: 'a', type: 'delay', hours: 1, next: 'b' },
  { id: 'b', type: 'delay', hours: 1, next: null },
]);

test('a journey shows who stands where, page by page, newest first; those who have left are not shown', async () => {
  const id = await givenJourney(ctx, twoWaits);
  const members = [member(), member(), member(), member()];
  await enter(fresh(), id, members.slice(0, 1));
  await moveAll(services);
  services.clock.advance(HOUR_MS);
  await enter(fresh(), id, members.slice(1, 3));
  await moveAll(services);
  await enter(fresh(), id, members.slice(3));
  const all = await listCurrentRuns(fresh(), id, {});
  expect(all.rows.map(({ memberId, nodeId }) => [memberId, nodeId])).toEqual([
    [members[3], ''],
    [members[2], 'a'],
    [members[1], 'a'],
    [members[0], 'b'],
  ]);
  const first = await listCurrentRuns(fresh(), id, { first: 2 });
  const after2 = encodeCursor(first.rows.at(-1)!.id);
  const second = await listCurrentRuns(fresh(), id, { first: 2, after: after2 });
  expect([...first.rows, ...second.rows]).toEqual(all.rows);
  const atA = await listCurrentRuns(fresh(), id, { nodeId: 'a' });
  expect(atA.rows.map(({ memberId }) => memberId)).toEqual([members[2], members[1]]);
  expect((await listCurrentRuns(newContext(), id, {})).rows).toEqual([]);
  services.clock.advance(HOUR_MS);
  await moveAll(services);
  const after = await listCurrentRuns(fresh(), id, {});
  expect(after.rows.map(({ memberId }) => memberId)).not.toContain(members[0]);
  const own = await listMemberRuns(fresh(), members[0]!, {});
  expect(own.rows).toMatchObject([{ status: 'COMPLETED', journeyId: id }]);
});

test('the lists of many journeys and members cost as many statements as those of one', async () => {
  const ids = [
    await givenJourney(ctx, twoWaits),
    await givenJourney(ctx, twoWaits),
    await givenJourney(ctx, twoWaits),
  ];
  const members = [member(), member(), member()];
  for (const id of ids) await enter(fresh(), id, members);
  const statementsFor = async (count: number) => {
    const context = fresh();
    services.statements.length = 0;
    await Promise.all([
      ...ids.slice(0, count).map((id) => listCurrentRuns(context, id, {})),
      ...members.slice(0, count).map((id) => listMemberRuns(context, id, {})),
    ]);
    return services.statements.length;
  };
  expect(await statementsFor(3)).toBe(await statementsFor(1));
});
