import { beforeAll, describe, expect, test } from '@jest/globals';
import { givenMembers } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.fixture';
import { useStack } from '../../harness/stack.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { bulkClient, jobShape, systemContext } from './bulk-jobs.fixture.ts';
import { type ModelTenant, modelTenant, remoteAdapter, v1Scopes } from './model.fixture.ts';

/** No worker runs, so a job stays in the state in which requests leave it. */
const stack = useStack();
let tenant: ModelTenant;
let bulk: ReturnType<typeof bulkClient>;
let remote: Awaited<ReturnType<typeof remoteAdapter>>;
let id: string;
let foreignId: string;
beforeAll(async () => {
  tenant = await modelTenant(stack);
  bulk = bulkClient(stack, tenant.key);
  remote = await remoteAdapter(stack);
  id = (await bulk.create('first')).body.id;
  foreignId = (await bulkClient(stack, (await modelTenant(stack)).key).create('first')).body.id;
});
stack.beforeClose(() => remote.close());

const unknownId = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';

describe('a job that no worker has taken', () => {
  test('is queued, alone among the active ones', async () => {
    const { status, body } = await bulk.get(`?id=${id}`);
    expect([status, body]).toEqual([200, { job: { ...jobShape, id, status: 'queued' } }]);
    expectModelError(await bulk.create('second'), 409, 'BULK_JOB_ACTIVE');
    expect((await bulk.create('first')).body).toEqual({ id, reused: true });
  });

  test('is paused, resumed and cancelled once each; each reply is the job as it is then', async () => {
    const act = (action: string) => bulk.post({ action, id });
    expectModelError(await act('resume'), 409, 'BULK_JOB_STATE', 'queued cannot be resumed');
    expectModelError(await act('retry'), 409, 'BULK_JOB_STATE', 'queued cannot be retried');
    const paused = { ...jobShape, id, status: 'paused', pause_reason: 'REQUESTED' };
    expect(await act('pause')).toMatchObject({ status: 200, body: paused });
    expectModelError(await act('pause'), 409, 'BULK_JOB_STATE', 'paused cannot be paused');
    expectModelError(await bulk.create('second'), 409, 'BULK_JOB_ACTIVE');
    expect(await act('resume')).toMatchObject({
      status: 200,
      body: { status: 'queued', pause_reason: null },
    });
    const cancelled = await act('cancel');
    expect([cancelled.status, cancelled.body]).toEqual([
      200,
      {
        ...jobShape,
        ...{ id, status: 'cancelled', finished_at: shapes.instant, details_expire_at: shapes.instant },
      },
    ]);
    for (const action of ['cancel', 'pause', 'resume', 'retry'])
      expectModelError(await act(action), 409, 'BULK_JOB_STATE', 'cancelled cannot be');
  });

  test('is one of the twenty latest in the list', async () => {
    const made: string[] = [];
    for (let count = 0; count < 21; count += 1) {
      const { body } = await bulk.create(`of many ${count}`);
      made.unshift(body.id);
      await bulk.post({ action: 'cancel', id: body.id });
    }
    const { status, body } = await bulk.get();
    expect([status, Object.keys(body)]).toEqual([200, ['jobs']]);
    expect(body.jobs.map((job: { id: string }) => job.id)).toEqual(made.slice(0, 20));
    expect(Object.keys(body.jobs[0]).sort()).toEqual(Object.keys(jobShape).sort());
  });
});

/**
 * Both adapters use the same code to read requests. The adapter in the gateway gets every invalid request,
 * the separate one only the first three of each list: some are refused by the adapter, some by the graph.
 */
describe.each(['of the gateway', 'in its own process'])('an adapter %s', (place) => {
  const isOfGateway = place === 'of the gateway';
  const client = () => bulkClient(isOfGateway ? stack : remote, tenant.key);
  const some = <Case>(cases: readonly Case[]): readonly Case[] => (isOfGateway ? cases : cases.slice(0, 3));
  const create = { action: 'create', name: 'nightly', idempotency_key: 'k' };

  test.each(
    some<readonly [unknown, RegExp]>([
      [{}, /^action is required/],
      [{ ...create, name: ' ' }, /^name must have 1 to 200 characters/],
      [[], /^The body must be a JSON object/],
      [{ id: unknownId }, /^action is required/],
      [{ action: 'erase', id: unknownId }, /^action must be one of create, pause, resume, cancel, retry/],
      [{ action: 'Pause', id: unknownId }, /^action must be one of/],
      [{ action: ['pause'], id: unknownId }, /^action must be one of/],
      [{ action: null, id: unknownId }, /^action must be one of/],
      [{ action: 'pause' }, /^id is required/],
      [{ action: 'pause', id: 5 }, /^id must be a UUID/],
      [{ action: 'pause', id: null }, /^id must not be null/],
      [{ action: 'pause', id: unknownId, name: 'x' }, /^name is not a field/],
      [{ action: 'create', name: 'x' }, /^idempotency_key is required/],
      [{ action: 'create', idempotency_key: 'k' }, /^name is required/],
      [{ ...create, name: 'n'.repeat(201) }, /^name must have/],
      [{ ...create, idempotency_key: '' }, /^idempotency_key must have/],
      [{ ...create, name: 5 }, /^name must be a string/],
      [{ ...create, model_version: 'std-3' }, /^model_version must be std-1 or std-2/],
      [{ ...create, model_version: 2 }, /^model_version must be a string/],
      [{ ...create, id: unknownId }, /^id is not a field/],
      [{ ...create, workspace_id: unknownId }, /^workspace_id is not a field/],
    ]),
  )('answers 400 to %j', async (body, sentence) => {
    expectModelError(await client().post(body), 400, /./, sentence);
  });

  test.each(
    some<readonly [string, RegExp]>([
      ['?limit=5', /^limit is not a field/],
      ['?id=ID&view=results&limit=1001', /^limit must be between 1 and 1000/],
      ['?id=ID&view=results&after=nonsense', /^after must be the nextCursor/],
      ['?status=failed', /^status is not a field/],
      ['?after=x', /^after is not a field/],
      ['?workspace_id=x', /^workspace_id is not a field/],
      ['?view=results', /^id is required/],
      ['?view=all', /^view must be one of results/],
      ['?id=ID&status=failed', /^status is not a field/],
      ['?id=ID&after=x', /^after is not a field/],
      ['?id=ID&limit=5', /^limit is not a field/],
      ['?id=ID&id=ID', /^id is given more than once/],
      ['?id=ID&view=results&limit=2000000000', /^limit must be between 1 and 1000/],
      ['?id=ID&view=results&limit=0', /^limit must be between 1 and 1000/],
      ['?id=ID&view=results&limit=-1', /^limit must be between 1 and 1000/],
      ['?id=ID&view=results&limit=many', /^limit must be a whole number/],
      ['?id=ID&view=results&limit=1.5', /^limit must be a whole number/],
      ['?id=ID&view=results&status=lost', /^status must be one of succeeded, unavailable, failed/],
      ['?id=ID&view=results&status=FAILED', /^status must be one of/],
    ]),
  )('answers 400 to GET bulk-jobs%s', async (query, sentence) => {
    expectModelError(await client().get(query.replaceAll('ID', id)), 400, /./, sentence);
  });

  test.each(
    some<readonly [string, RegExp]>([
      ['?limit=1001', /^limit must be between 1 and 1000/],
      ['?after=nonsense', /^after must be the nextCursor/],
      ['?status=failed', /^status is not a field/],
      ['?limit=0', /^limit must be between 1 and 1000/],
      ['?limit=x', /^limit must be a whole number/],
      [`?member_id=${unknownId}&limit=5`, /^limit is not a field/],
      [`?member_id=${unknownId}&after=x`, /^after is not a field/],
    ]),
  )('answers 400 to GET member-states%s', async (query, sentence) => {
    expectModelError(await client().states(query), 400, /./, sentence);
  });

  test.each([
    ['that is unknown', () => unknownId],
    ['of another workspace', () => foreignId],
    ['that is no UUID', () => 'nightly'],
    ['that is empty', () => ''],
  ])('answers 404 to an id %s, whatever the request', async (_, asked) => {
    const { get, post, states } = client();
    const code = 'BULK_JOB_NOT_FOUND';
    expectModelError(await get(`?id=${asked()}`), 404, code);
    expectModelError(await get(`?id=${asked()}&view=results`), 404, code);
    for (const action of ['pause', 'resume', 'cancel', 'retry'])
      expectModelError(await post({ action, id: asked() }), 404, code);
    expectModelError(await states(`?member_id=${asked()}`), 404, 'MEMBER_STATE_NOT_FOUND');
  });
});

describe('a cursor', () => {
  test('is refused with another filter, for another job and for another list', async () => {
    const own = await modelTenant(stack);
    const { get, states, create, post } = bulkClient(stack, own.key);
    const ctx = systemContext(stack, own.workspaceId);
    const members = await givenMembers(ctx, 3);
    const jobs: string[] = [];
    for (const key of ['a', 'b']) {
      jobs.push((await create(key)).body.id);
      await post({ action: 'cancel', id: jobs.at(-1) });
      await ctx.sql.query(
        `INSERT INTO model.bulk_results (workspace_id, mode, job_id, member_id, status, attempts, updated_at)
         SELECT $1, 'LIVE', $2, id, 'SUCCEEDED', 1, now() FROM unnest($3::uuid[]) AS id`,
        [own.workspaceId, jobs.at(-1), members],
      );
    }
    const results = `?id=${jobs[0]}&view=results&limit=1`;
    const { nextCursor } = (await get(results)).body;
    expect((await get(`${results}&after=${nextCursor}`)).body.results).toMatchObject([
      { member_id: members[1] },
    ]);
    for (const reply of [
      await get(`${results}&status=succeeded&after=${nextCursor}`),
      await get(`?id=${jobs[1]}&view=results&after=${nextCursor}`),
      await states(`?after=${nextCursor}`),
    ])
      expectModelError(reply, 400, 'VALIDATION_FAILED', /^after must be the nextCursor/);
  });
});

describe('scopes', () => {
  test('to write allow to make and pause a job and to read the answer, but no later read', async () => {
    const { secret } = await stack.key((await modelTenant(stack)).token, ['model:bulk:write']);
    const { create, get } = bulkClient(stack, secret);
    const made = await create('mine');
    expect(made).toMatchObject({ status: 202, body: { reused: false } });
    const { id: own } = made.body;
    for (const query of ['', `?id=${own}`, `?id=${own}&view=results`])
      expectModelError(await get(query), 403, 'SCOPE_MISSING', 'model:bulk:read');
    const shown = '{ status name processed creditsCharged }';
    const paused = await stack.graph(`mutation { pauseBulkJob(id: "${own}") ${shown} }`, {}, secret);
    expect(paused).toMatchObject({ data: { pauseBulkJob: { status: 'PAUSED', processed: 0 } } });
    for (const read of [
      `bulkJob(id: "${own}") ${shown}`,
      `bulkJobs { nodes ${shown} }`,
      `bulkJobResults(bulkJobId: "${own}") { nextCursor }`,
    ])
      expect(await stack.graph(`{ ${read} }`, {}, secret)).toMatchObject({
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      });
  });

  const refusedFor = async (scopes: readonly string[] | null) => {
    const key = scopes ? (await stack.key(tenant.token, scopes)).secret : tenant.v2Key;
    const { get, post, states } = bulkClient(stack, key);
    const replies = { read: await get(), write: await post({ action: 'pause', id }), states: await states() };
    for (const reply of Object.values(replies))
      if (reply.status === 403) expectModelError(reply, 403, 'SCOPE_MISSING', 'model:bulk:');
    return Object.entries(replies).flatMap(([name, { status }]) => (status === 403 ? [name] : []));
  };

  test('of the v2 API allow none of it', async () => {
    expect(await refusedFor(null)).toEqual(['read', 'write', 'states']);
  });

  test.each([
    [['model:bulk:read'], ['write']],
    [['model:bulk:write'], ['read', 'states']],
    [
      ['model:data:read', 'model:data:write', 'decisions:read'],
      ['read', 'write', 'states'],
    ],
    [v1Scopes.filter((scope) => !/bulk|predictions/.test(scope)), ['read', 'write', 'states']],
  ])('%j leave %j refused', async (scopes, refused) => {
    expect(await refusedFor(scopes)).toEqual(refused);
  });
});
