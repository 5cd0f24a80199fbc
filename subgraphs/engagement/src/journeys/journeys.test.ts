import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { changeJourneyStatus } from '../journey-runs/journey-status.service.ts';
import { engagement } from '../subgraph.ts';
import { createJourney, updateJourney } from './edit-journey.service.ts';
import { aDefinition, givenSegment, inARow } from './journeys.fixture.ts';
import { publishVersion, versionOf } from './journeys.service.ts';
import { journeysWithSegment } from './journeys.store.ts';

const { ctx, fresh, newContext, services } = useServices();
const ask = askOf(engagement);

const create = (name = 'Welcome', definition = aDefinition(), of = fresh()) =>
  createJourney(of, { name, definition });
const wait = (days: number, id = 'wait') => ({ id, type: 'delay', days });
const ofDays = (...days: number[]) =>
  aDefinition({ nodes: inARow(days.map((each, place) => wait(each, `n${place}`))), start: 'n0' });

/** Sends a mutation of a journey. Returns the journey, or the error code. */
const act = async (mutation: string, id: string, of = fresh()) => {
  const document = `mutation ($id: ID!) { it: ${mutation}(id: $id) { id name status version { number } } }`;
  const { data, reason } = await ask(of, document, { id });
  return reason ?? data.it;
};
const triggersOf = (id: string) =>
  ctx.sql.query<{ role: string; type: string }>(
    `SELECT role, event_type AS type FROM engagement.journey_triggers
      WHERE workspace_id = $1 AND journey_id = $2 ORDER BY role, type`,
    [ctx.scope.workspaceId, id],
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );

test.each([
  ['another workspace', () => newContext()],
  ['the other mode', () => fresh({ mode: 'TEST' })],
])('a remembered version of a journey is none of %s', async (_, other) => {
  const { id } = await create();
  await act('launchJourney', id);
  await versionOf(fresh(), id, 1);
  services.statements.length = 0;
  await versionOf(fresh(), id, 1);
  expect(services.statements).toEqual([]);
  expect(await codeOf(versionOf(other(), id, 1))).toBe('JOURNEY_VERSION_NOT_FOUND');
});

test('a journey is drafted, edited, launched, and launched again with a new version', async () => {
  const { id } = await create();
  expect(await triggersOf(id)).toEqual([]);
  expect(await act('launchJourney', id)).toMatchObject({ status: 'ACTIVE', version: { number: 1 } });
  expect(await act('launchJourney', id)).toMatchObject({ status: 'ACTIVE', version: { number: 1 } });
  await updateJourney(fresh(), id, { definition: ofDays(2, 3) });
  const document = `query ($id: ID!) { journey(id: $id) { status isDraftChanged version { number definition }
    versions { totalCount nodes { number } } draft } }`;
  const shown = async () => (await ask(fresh(), document, { id })).data.journey;
  expect(await shown()).toMatchObject({
    status: 'ACTIVE',
    isDraftChanged: true,
    version: { number: 1, definition: aDefinition() },
    draft: ofDays(2, 3),
  });
  expect(await act('launchJourney', id)).toMatchObject({ status: 'ACTIVE', version: { number: 2 } });
  expect(await shown()).toMatchObject({
    isDraftChanged: false,
    version: { number: 2, definition: ofDays(2, 3) },
    versions: { totalCount: 2, nodes: [{ number: 2 }, { number: 1 }] },
  });
  expect((await versionOf(fresh(), id, 1)).definition).toEqual(aDefinition());
  const audited = await ctx.sql.query<{ action: string }>(
    `SELECT action FROM platform.audit_entries WHERE workspace_id = $1 AND resource_id = $2 ORDER BY id`,
    [ctx.scope.workspaceId, id],
  );
  expect(audited.map(({ action }) => action)).toEqual([
    ...['createJourney', 'launchJourney', 'updateJourney', 'launchJourney'],
  ]);
});

test('twenty concurrent launches make one version, and the first launch is published once', async () => {
  const { id } = await create();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => act('launchJourney', id)));
  expect(new Set(outcomes.map((each) => each.version?.number ?? each))).toEqual(new Set([1]));
  const [{ published }] = (await ctx.sql.query<{ published: number }>(
    `SELECT count(*)::int AS published FROM platform.outbox
      WHERE workspace_id = $1 AND type = 'engagement.journey_launched'`,
    [ctx.scope.workspaceId],
  )) as [{ published: number }];
  expect(published).toBe(1);
});

test('it listens to the events of its definition, until it has ended', async () => {
  const segmentId = await givenSegment(ctx);
  const event = { type: 'order.created' };
  const { id } = await create(
    'Listener',
    aDefinition({
      entry: { segmentId },
      leavesWithSegment: true,
      goal: { event },
      exit: [{ event: { type: 'member.unsubscribed' } }],
      nodes: [{ id: 'w', type: 'waitForEvent', event, timeout: { days: 1 }, next: null, otherwise: null }],
    }),
  );
  await act('launchJourney', id);
  const ofSegment = [
    { role: 'ENTRY', type: 'segment.entered' },
    { role: 'WAIT', type: 'order.created' },
    { role: 'GOAL', type: 'order.created' },
    { role: 'EXIT', type: 'member.unsubscribed' },
    { role: 'EXIT', type: 'segment.left' },
  ];
  expect(await triggersOf(id)).toEqual(ofSegment);
  // Members of the first version still wait for its events, but no member enters it any more.
  await updateJourney(fresh(), id, { definition: aDefinition() });
  await act('launchJourney', id);
  expect(await triggersOf(id)).toEqual([{ role: 'ENTRY', type: 'store.visited' }, ...ofSegment.slice(1)]);
  await act('pauseJourney', id);
  expect(await triggersOf(id)).toHaveLength(5);
  await act('endJourney', id);
  expect(await triggersOf(id)).toEqual([]);
});

test('each status lets those acts through that fit it, and names why it refuses others', async () => {
  const acts = ['launchJourney', 'pauseJourney', 'resumeJourney', 'endJourney', 'deleteJourney'];
  const given: Record<string, readonly string[]> = {
    DRAFT: [],
    ACTIVE: ['launchJourney'],
    PAUSED: ['launchJourney', 'pauseJourney'],
    ENDED: ['launchJourney', 'endJourney'],
  };
  const table: Record<string, unknown[]> = {};
  for (const [status, before] of Object.entries(given)) {
    table[status] = [];
    for (const last of acts) {
      const { id } = await create(`${status} ${last}`);
      for (const each of before) await act(each, id);
      const outcome = last === 'deleteJourney' ? await remove(id) : await act(last, id);
      table[status].push(outcome.status ?? outcome);
    }
  }
  const [active, paused] = ['JOURNEY_NOT_ACTIVE', 'JOURNEY_NOT_PAUSED'];
  expect(table).toEqual({
    DRAFT: ['ACTIVE', active, paused, 'JOURNEY_NOT_LAUNCHED', 'deleted'],
    ACTIVE: ['ACTIVE', 'PAUSED', 'ACTIVE', 'ENDED', 'JOURNEY_NOT_DRAFT'],
    PAUSED: ['PAUSED', 'PAUSED', 'ACTIVE', 'ENDED', 'JOURNEY_NOT_DRAFT'],
    ENDED: ['JOURNEY_ENDED', 'JOURNEY_ENDED', 'JOURNEY_ENDED', 'ENDED', 'JOURNEY_NOT_DRAFT'],
  });
});

async function remove(id: string): Promise<string> {
  const document = 'mutation ($id: ID!) { deleteJourney(id: $id) { id deleted } }';
  const { data, reason } = await ask(fresh(), document, { id });
  return (reason as string | undefined) ?? (data.deleteJourney.deleted ? 'deleted' : '');
}

test('an ended journey is not edited, but duplicated', async () => {
  const { id } = await create('Old');
  await act('launchJourney', id);
  await act('endJourney', id);
  expect(await codeOf(updateJourney(fresh(), id, { name: 'New' }))).toBe('JOURNEY_ENDED');
  expect(await act('duplicateJourney', id)).toMatchObject({
    name: 'Old (copy)',
    status: 'DRAFT',
    version: null,
  });
});

test('a launch checks again what the draft refers to, and changes nothing where that is gone', async () => {
  const segmentId = await givenSegment(ctx);
  const { id } = await create('Gone', aDefinition({ entry: { segmentId } }));
  await ctx.sql.query('DELETE FROM engagement.segments WHERE workspace_id = $1 AND id = $2', [
    ctx.scope.workspaceId,
    segmentId,
  ]);
  const { message, reason } = await ask(fresh(), `mutation { launchJourney(id: "${id}") { id } }`);
  expect([reason, message]).toEqual([
    'VALIDATION_FAILED',
    'draft.entry.segmentId must be the id of a segment.',
  ]);
  expect(await act('duplicateJourney', id)).toMatchObject({ status: 'DRAFT' });
});

test('a draft that a campaign has is not deleted', async () => {
  const { id } = await create();
  await ctx.sql.query(
    `INSERT INTO engagement.campaigns (workspace_id, mode, id, name, channel, include_ids, exclude_ids,
            variants, journey_id, actor, created_at, updated_at)
     VALUES ($1, 'LIVE', $2, 'C', 'EMAIL', '{}', '{}', '[]', $3, 'user:test', now(), now())`,
    [ctx.scope.workspaceId, newId(ctx.clock), id],
  );
  expect(await remove(id)).toBe('JOURNEY_IN_USE');
});

describe('members are moved', () => {
  const move = async (id: string, args: string) => {
    const { data, reason, message } = await ask(
      fresh(),
      `mutation { moveJourneyMembers(id: "${id}", ${args}) { members } }`,
    );
    return reason ? [reason, message?.split(' ')[0]] : data.moveJourneyMembers.members;
  };
  const twoVersions = async () => {
    const { id } = await create('Two', ofDays(1, 1, 1));
    await act('launchJourney', id);
    await updateJourney(fresh(), id, { definition: ofDays(2, 2) });
    await act('launchJourney', id);
    return id;
  };

  test('only between versions that there are, with a place for each node', async () => {
    const id = await twoVersions();
    const wrong = 'VALIDATION_FAILED';
    expect(await move(id, 'fromVersion: 1, toVersion: 1')).toEqual([wrong, 'toVersion']);
    expect(await move(id, 'fromVersion: 1, toVersion: 3')).toEqual(['JOURNEY_VERSION_NOT_FOUND', 'No']);
    expect(await move(id, 'fromVersion: 1, toVersion: 2')).toEqual([wrong, 'nodeMap.n2']);
    expect(await move(id, 'fromVersion: 1, toVersion: 2, nodeMap: {n2: "n5"}')).toEqual([
      wrong,
      'nodeMap.n2',
    ]);
    expect(await move(id, 'fromVersion: 1, toVersion: 2, nodeMap: {n9: "n1"}')).toEqual([
      wrong,
      'nodeMap.n9',
    ]);
    expect(await move(id, 'fromVersion: 1, toVersion: 2, nodeMap: {n2: "n1"}')).toBe(0);
    expect(await move(id, 'fromVersion: 2, toVersion: 1')).toBe(0);
    await act('endJourney', id);
    expect(await move(id, 'fromVersion: 2, toVersion: 1')).toEqual(['JOURNEY_ENDED', 'The']);
  });
});

test('journeys of another workspace, of another mode and of automations are not found', async () => {
  const { id } = await create();
  const automation = newId(ctx.clock);
  const input = { id: automation, kind: 'AUTOMATION', name: 'A', definition: aDefinition() } as const;
  await ctx.transaction((tx) => publishVersion(tx, input));
  const acts = ['launchJourney', 'pauseJourney', 'resumeJourney', 'endJourney', 'duplicateJourney'];
  for (const [of, foreign] of [
    [newContext(), id],
    [fresh({ mode: 'TEST' }), id],
    [fresh(), automation],
  ] as const)
    for (const each of acts)
      expect([each, await act(each, foreign, of)]).toEqual([each, 'JOURNEY_NOT_FOUND']);
  const list = '{ journeys { totalCount nodes { id } } }';
  expect((await ask(fresh(), list)).data.journeys).toEqual({ totalCount: 1, nodes: [{ id }] });
  expect((await ask(newContext(), `{ journey(id: "${id}") { id } }`)).data.journey).toBeNull();
});

test('an automation is published, paused, resumed and ended by the same functions', async () => {
  const id = newId(ctx.clock);
  const publish = () =>
    ctx.transaction((tx) =>
      publishVersion(tx, { id, kind: 'AUTOMATION', name: 'A', definition: aDefinition() }),
    );
  const change = (from: 'ACTIVE' | 'PAUSED', to: 'ACTIVE' | 'PAUSED' | 'ENDED') =>
    ctx.transaction((tx) => changeJourneyStatus(tx, id, { from: [from], to }));
  expect([await publish(), await publish()]).toEqual([1, 2]);
  expect(await change('PAUSED', 'ACTIVE')).toBe(false);
  expect(await change('ACTIVE', 'PAUSED')).toBe(true);
  expect(await publish()).toBe(3);
  expect(await change('PAUSED', 'ENDED')).toBe(true);
  expect(await codeOf(publish())).toBe('JOURNEY_ENDED');
});

test('journeys that name a segment in the draft or in a version are its uses, until they have ended', async () => {
  const segmentId = await givenSegment(ctx);
  const uses = async () => (await journeysWithSegment(fresh(), segmentId)).map(({ name }) => name).toSorted();
  await create('Draft', aDefinition({ condition: { op: 'not', conditions: [{ segment: segmentId }] } }));
  const { id } = await create('Version', aDefinition({ entry: { segmentId } }));
  await create('Other');
  await act('launchJourney', id);
  await updateJourney(fresh(), id, { definition: aDefinition() });
  expect(await uses()).toEqual(['Draft', 'Version']);
  await act('endJourney', id);
  expect(await uses()).toEqual(['Draft']);
});

test('names and paging are checked, and bad definitions by their paths in the graph', async () => {
  const make = (name: string, definition: unknown) =>
    ask(fresh(), 'mutation ($input: CreateJourneyInput!) { createJourney(input: $input) { id } }', {
      input: { name, definition },
    });
  expect((await make(' ', aDefinition())).message).toMatch(/^input\.name must not be empty/);
  expect((await make('x'.repeat(101), aDefinition())).message).toMatch(/^input\.name must have at most 100/);
  const bad = await make('x', aDefinition({ start: 'nowhere' }));
  expect([bad.code, bad.message]).toEqual([
    'BAD_USER_INPUT',
    'input.definition.start must be the id of a node.',
  ]);
  expect((await ask(fresh(), '{ journeys(first: 201) { nodes { id } } }')).message).toMatch(/^first must be/);
  const schema = (await ask(fresh(), '{ journeySchema }')).data.journeySchema;
  expect(schema).toMatchObject({ type: 'object', required: ['entry', 'reentry', 'start', 'nodes'] });
});

test('versions of twenty journeys cost as many statements as those of one', async () => {
  const document =
    '{ journeys { nodes { version { number } versions { nodes { number } } isDraftChanged } } }';
  const count = async () => {
    services.statements.length = 0;
    await ask(fresh(), document);
    return services.statements.length;
  };
  const launched = async () => act('launchJourney', (await create()).id);
  await launched();
  const one = await count();
  for (let more = 0; more < 19; more += 1) await launched();
  expect(await count()).toBe(one);
});
