import { beforeAll, describe, expect, test } from '@jest/globals';
import { alignmentCsv } from '@loyalty/model-subgraph/pipelines/alignment.fixture';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { bulkClient } from './bulk-jobs.fixture.ts';
import { type ModelTenant, modelTenant } from './model.fixture.ts';
import { versionsClient } from './training.fixture.ts';

const stack = useStack();
let tenant: ModelTenant;
let client: ReturnType<typeof versionsClient>;
/** Member ids by external id: `regular` buys like the samples, `once` bought once, `silent` has no data. */
let members: Record<'regular' | 'once' | 'silent', string>;
beforeAll(async () => {
  await stack.work();
  tenant = await modelTenant(stack);
  client = versionsClient(stack, tenant.key, 'alignment');
  const rows = ['regular', 'once', 'silent'].map((id) => `${id},2025-01-05T10:00:00Z`);
  members = (await imported('members', 'external_id,created_at', rows)).mappings;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const orders = [...Array.from({ length: 11 }, (_, at) => 3 + 14 * at), 150].map(
    (days, at) => `o-${at},regular,${daysAgo(days)},10.00,EUR,paid`,
  );
  const header = 'external_id,member_id,occurred_at,amount,currency,status';
  await imported('orders', header, [...orders, `o-once,once,${daysAgo(900)},10.00,EUR,paid`]);
  await eventually(async () => expect(await balance()).toBe(50_000));
});

async function imported(kind: string, header: string, rows: readonly string[]) {
  const file = { kind, format: 'csv', content: [header, ...rows, ''].join('\n'), mapping: {} };
  const send = (more: object) =>
    stack.rest('POST', '/api/v1/data', { as: tenant.key, body: { ...file, ...more } });
  const { token } = (await send({})).body;
  const { status, body } = await send({ confirmed: true, token });
  expect([status, body.inserted]).toEqual([200, rows.length]);
  return body;
}

async function balance(): Promise<number> {
  const query = '{ wallet { balance } }';
  const { data } = await stack.graph<{ wallet: { balance: number } }>(query, {}, tenant.token);
  return data.wallet.balance;
}

const content = alignmentCsv();
const upload = (more: object = {}, config: object = {}) => ({
  action: 'upload',
  name: 'Purchases',
  confirmed: true,
  config: { target: 'purchase', origin: 'live', horizon: 30, ...config },
  content,
  ...more,
});

async function evaluated(body: object, by = client) {
  const sent = await by.post(body);
  expect([sent.status, sent.body]).toEqual([200, { id: shapes.uuid, status: 'uploaded', reused: false }]);
  const { id } = sent.body;
  expect((await by.act('start', id)).status).toBe(202);
  return eventually(async () => {
    const version = await by.version(id);
    expect(version).toMatchObject({ status: 'evaluated', failure: null });
    return version;
  });
}

async function published(body: object) {
  const version = await evaluated(body);
  const review = await client.reviewOf(version.id);
  expect((await client.act('approve', version.id, review)).status).toBe(200);
  expect((await client.act('publish', version.id)).status).toBe(200);
  return version;
}

const call = (name: string, args: object) =>
  stack.rest('POST', '/api/v1/capabilities', { as: tenant.key, body: { name, arguments: args } });

async function purchaseOf(memberId: string, more: object = {}) {
  const { status, body } = await call('model_predict_purchase', { member_id: memberId, ...more });
  expect(status).toBe(200);
  return { ...body.result.data.purchase, limitations: body.result.envelope.limitations };
}

/** The purchase score in the stored state of the member `regular`. */
async function keptScore(): Promise<number> {
  const { body } = await bulkClient(stack, tenant.key).states(`?member_id=${members.regular}`);
  expect(JSON.stringify(body)).not.toContain('standard_score');
  return body.state.signals.purchase.score;
}

const score = expect.any(Number);

describe('a live alignment', () => {
  let version: { readonly id: string; readonly fingerprint: string };
  let standard: { readonly score: number };
  beforeAll(async () => {
    standard = await purchaseOf(members.regular);
    version = await published(upload());
  });

  test('is applied by analyses, which keep the standard score beside it', async () => {
    expect(Object.keys(standard)).not.toContain('standard_score');
    const aligned = await purchaseOf(members.regular);
    const { id, fingerprint } = version;
    expect(aligned).toMatchObject({
      score,
      standard_score: standard.score,
      alignment: { id, fingerprint },
      status: 'ok',
    });
    expect(aligned.score).not.toBe(standard.score);
    expect(aligned.limitations).toContain('NOT_CALIBRATED');
    const { body } = await call('model_get_consumer_state', { member_id: members.regular });
    expect(body.result.data.purchase).toMatchObject({ score: aligned.score, standard_score: standard.score });
    expect(body.result.data.long_gap).not.toHaveProperty('standard_score');
    expect(await keptScore()).toBeCloseTo(standard.score, 4);
  });

  test('leaves the standard score where it does not apply, and says why', async () => {
    const { score: other, limitations } = await purchaseOf(members.regular, { horizon_days: 7 });
    expect(other).toEqual(score);
    expect(limitations).toContain('ALIGNMENT_SKIPPED_HORIZON');
    const once = await purchaseOf(members.once);
    expect(once).not.toHaveProperty('standard_score');
    expect(once.limitations).toContain('ALIGNMENT_SKIPPED_OOD');
    const silent = await purchaseOf(members.silent);
    expect(silent).toMatchObject({ score: null, status: 'unavailable' });
    expect(silent).not.toHaveProperty('alignment');
  });

  test('answers about a member by either id, for 10 credits', async () => {
    const before = await balance();
    const replies = [];
    for (const member_id of [members.regular, 'regular'])
      replies.push(await client.act('infer', version.id, { member_id }));
    const expected = {
      scores: { objective: 'purchase', value: score, standard_score: standard.score },
      applicability: { in_distribution: true, limits: expect.arrayContaining([expect.any(String)]) },
      envelope: {
        status: 'ok',
        evidence: expect.arrayContaining([{ kind: 'n_purchase_days', value: 12, observed_at: null }]),
        limitations: expect.arrayContaining(['NOT_CALIBRATED']),
        model_version: version.fingerprint,
        computed_at: shapes.instant,
        credits_charged: 10,
      },
    };
    expect(replies.map(({ status, body }) => [status, body])).toEqual([
      [200, expected],
      [200, expected],
    ]);
    expect(await balance()).toBe(before - 20);
  });

  test('gives no answer about members to whom it does not apply, and charges nothing', async () => {
    const before = await balance();
    for (const [member_id, limit] of [
      ['once', 'ALIGNMENT_SKIPPED_OOD'],
      ['silent', 'INSUFFICIENT_HISTORY'],
    ]) {
      const { status, body } = await client.act('infer', version.id, { member_id });
      expect([status, body]).toEqual([
        200,
        {
          scores: null,
          applicability: { in_distribution: false, limits: expect.arrayContaining([limit]) },
          envelope: expect.objectContaining({ status: 'unavailable', credits_charged: 0 }),
        },
      ]);
    }
    expect(await balance()).toBe(before);
  });

  test('answers no other caller, and not about members who are unknown or restricted', async () => {
    const infer = (member_id: string, id = version.id) => client.act('infer', id, { member_id });
    expectModelError(await infer('nobody'), 404, 'CONSUMER_NOT_FOUND');
    expectModelError(await client.act('infer', version.id), 400, 'VALIDATION_FAILED', /member_id/);
    const other = versionsClient(stack, (await modelTenant(stack)).key, 'alignment');
    const foreign = await other.act('infer', version.id, { member_id: 'regular' });
    expectModelError(foreign, 404, 'MODEL_VERSION_NOT_FOUND');
    const mutation =
      'mutation ($id: ID!, $is: Boolean!) { restrictProcessing(memberId: $id, isRestricted: $is) { id } }';
    await stack.graph(mutation, { id: members.regular, is: true }, tenant.token);
    expectModelError(await infer('regular'), 403, 'MEMBER_RESTRICTED');
    await stack.graph(mutation, { id: members.regular, is: false }, tenant.token);
    expect((await infer('regular')).status).toBe(200);
  });

  test('is not applied by a bulk refresh', async () => {
    const bulk = bulkClient(stack, tenant.key);
    const { body } = await bulk.create('with an alignment');
    expect((await bulk.ended(body.id)).job).toMatchObject({ status: 'completed', succeeded: 2 });
    expect(await keptScore()).toBeCloseTo(standard.score, 4);
  });

  test('has a card: a page without scripts, data, and a diagram', async () => {
    const url = `${stack.url}/api/model-cards/${version.id}`;
    const headers = { authorization: `Bearer ${tenant.key}` };
    const read = async (query = '', more: Record<string, string> = {}) => {
      const response = await fetch(`${url}${query}`, { headers: { ...headers, ...more } });
      return { response, type: response.headers.get('content-type'), text: await response.text() };
    };
    const page = await read();
    expect([page.response.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.text).toContain('<h1>Model card: Purchases</h1>');
    expect(page.response.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const asked of [read('?format=json'), read('', { accept: 'application/json' })]) {
      const { type, text } = await asked;
      expect(type).toBe('application/json; charset=utf-8');
      expect(JSON.parse(text)).toMatchObject({ version: { id: version.id }, data: { rows: 900 } });
    }
    const diagram = await read('?format=svg');
    expect([diagram.type, diagram.text.slice(0, 4)]).toEqual(['image/svg+xml; charset=utf-8', '<svg']);
    expect((await read('?format=pdf')).response.status).toBe(400);
    expect((await fetch(url)).status).toBe(401);
    const other = { authorization: `Bearer ${(await modelTenant(stack)).key}` };
    expect((await fetch(url, { headers: other })).status).toBe(404);
    expect((await fetch(`${stack.url}/api/model-cards/none`, { headers })).status).toBe(404);
    expect((await fetch(url, { headers, method: 'POST' })).status).toBe(405);
  });

  test('whose stored bytes changed answers with a conflict, and analyses stay standard', async () => {
    const change = (from: string, to: string) =>
      stack.services.database.sql.query(
        `UPDATE model.evaluation_reports SET artifact = replace(artifact, $2, $3) WHERE fingerprint = $1`,
        [version.fingerprint, from, to],
      );
    await change('"ALIGNMENT"', '"ALIGNMENt"');
    const refused = await client.act('infer', version.id, { member_id: 'regular' });
    expectModelError(refused, 409, 'ARTIFACT_CHANGED');
    const { score: fallen, limitations, ...rest } = await purchaseOf(members.regular);
    expect(fallen).toBeCloseTo(standard.score, 4);
    expect(limitations).toContain('ALIGNMENT_SKIPPED_UNREADABLE');
    expect(rest).not.toHaveProperty('standard_score');
    await change('"ALIGNMENt"', '"ALIGNMENT"');
    expect(await purchaseOf(members.regular)).toHaveProperty('standard_score');
  });

  test('is not used any more after it was unpublished', async () => {
    expect((await client.act('unpublish', version.id)).status).toBe(200);
    expect(await purchaseOf(members.regular)).not.toHaveProperty('standard_score');
    const refused = await client.act('infer', version.id, { member_id: 'regular' });
    expectModelError(refused, 409, 'VERSION_NOT_PUBLISHED');
    expect((await client.act('publish', version.id)).status).toBe(200);
  });
});

test('an alignment of test samples is applied only where an analysis asks for it', async () => {
  const version = await published(upload({}, { origin: 'test' }));
  const usual = await purchaseOf(members.regular);
  expect(usual.alignment?.id).not.toBe(version.id);
  const tried = await purchaseOf(members.regular, { trial_version_id: version.id });
  expect(tried).toMatchObject({ score, standard_score: score, alignment: { id: version.id } });
  expect(tried.limitations).toContain('TEST_ORIGIN');
  const { body } = await client.act('infer', version.id, { member_id: 'regular' });
  expect(body.scores.value).toBe(tried.score);
  expect(body.envelope.limitations).toContain('TEST_ORIGIN');
  const wrong = await call('model_predict_churn', {
    member_id: members.regular,
    trial_version_id: version.id,
  });
  expectModelError(wrong, 400, 'INVALID_ARGUMENTS', /trial_version_id is a version for purchase/);
  const unknown = { member_id: members.regular, trial_version_id: members.regular };
  expectModelError(await call('model_predict_purchase', unknown), 404, 'MODEL_VERSION_NOT_FOUND');
});
