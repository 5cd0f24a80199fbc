import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  basketOfFeatures,
  type GivenSamples,
  linearLabel,
  samplesCsv,
} from '@loyalty/model-subgraph/pipelines/samples.fixture';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { type ModelTenant, modelTenant } from './model.fixture.ts';
import { reportShape, versionsClient } from './training.fixture.ts';

const stack = useStack();
let tenant: ModelTenant;
let client: ReturnType<typeof versionsClient>;
beforeAll(async () => {
  await stack.work();
  tenant = await modelTenant(stack);
  client = versionsClient(stack, tenant.key);
  await eventually(async () => expect(await balance()).toBe(50_000));
});

async function balance(): Promise<number> {
  const query = '{ wallet { balance } }';
  const { data } = await stack.graph<{ wallet: { balance: number } }>(query, {}, tenant.token);
  return data.wallet.balance;
}

const csv = (target: GivenSamples['target'], seed = 1) =>
  samplesCsv({ entities: 400, dates: 4, seed, target });
const config = { task: 'return', origin: 'live', horizon: 30 };
const upload = (more: object = {}) => ({
  action: 'upload',
  name: 'Returns',
  confirmed: true,
  config,
  content: csv(linearLabel),
  ...more,
});

async function evaluated(by: ReturnType<typeof versionsClient>, body: object) {
  const sent = await by.post(body);
  expect([sent.status, sent.body]).toEqual([200, { id: shapes.uuid, status: 'uploaded', reused: false }]);
  const { id } = sent.body;
  expect((await by.act('start', id)).status).toBe(202);
  return eventually(async () => {
    const version = await by.version(id);
    expect(['evaluated', 'failed']).toContain(version.status);
    return version;
  });
}

async function published(by: ReturnType<typeof versionsClient>, body: object) {
  const version = await evaluated(by, body);
  expect(version).toMatchObject({ status: 'evaluated', failure: null });
  expect((await by.act('approve', version.id, await by.reviewOf(version.id))).status).toBe(200);
  expect((await by.act('publish', version.id)).status).toBe(200);
  return version;
}

describe('a version of returns', () => {
  const features = { f_a: 0.5, f_b: -0.5, f_c: 0, f_noise: 0 };
  let version: { readonly id: string; readonly fingerprint: string };
  beforeAll(async () => {
    version = await published(client, upload());
  });

  test('has a report of its gates, all of which it passed', async () => {
    const { body } = await client.act('reports', version.id);
    const about = {
      version_id: version.id,
      status: 'approved',
      note: 'Read.',
      reviewed_by: expect.any(String),
    };
    expect(body.reports).toEqual([{ ...reportShape, ...about }]);
    expect(body.reports[0].evaluation.metrics).not.toEqual({});
    expect(body.reports[0].evaluation.gates.every(({ passed }: { passed: boolean }) => passed)).toBe(true);
  });

  test('answers for 10 credits', async () => {
    const before = await balance();
    const { status, body } = await client.act('infer', version.id, { features });
    expect([status, body]).toEqual([
      200,
      {
        conclusions: [expect.any(String), expect.any(String)],
        actions: expect.any(Array),
        scores: { objective: 'return within 30 days', value: expect.any(Number) },
        applicability: { in_distribution: true, limits: expect.any(Array) },
        envelope: {
          status: 'ok',
          evidence: [],
          limitations: ['NOT_CALIBRATED'],
          model_version: version.fingerprint,
          computed_at: shapes.instant,
          credits_charged: 10,
        },
      },
    ]);
    expect(await balance()).toBe(before - 10);
  });

  test('gives no answer where the features are unlike the samples, and charges nothing', async () => {
    const before = await balance();
    const { status, body } = await client.act('infer', version.id, { features: { ...features, f_a: 100 } });
    expect([status, body]).toEqual([
      200,
      {
        conclusions: [],
        actions: [],
        scores: null,
        applicability: { in_distribution: false, limits: [expect.stringContaining('f_a')] },
        envelope: expect.objectContaining({ status: 'unavailable', credits_charged: 0 }),
      },
    ]);
    const { f_a: _, ...without } = features;
    for (const [wrong, sentence] of [
      [without, /^features\.f_a /],
      [{ ...features, f_x: 1 }, /^features\.f_x /],
      [{ ...features, f_a: '1' }, /^features\.f_a must be a finite number/],
    ] as const)
      expectModelError(
        await client.act('infer', version.id, { features: wrong }),
        400,
        'VALIDATION_FAILED',
        sentence,
      );
    expect(await balance()).toBe(before);
  });

  test('has the same id for the same upload, and the same fingerprint in another workspace', async () => {
    const again = await client.post(upload({ name: 'Again' }));
    expect([again.status, again.body]).toEqual([200, { id: version.id, status: 'published', reused: true }]);
    const other = versionsClient(stack, (await modelTenant(stack)).key);
    const same = await evaluated(other, upload());
    expect([same.id === version.id, same.fingerprint]).toEqual([false, version.fingerprint]);
    expectModelError(await other.act('infer', version.id, { features }), 404, 'MODEL_VERSION_NOT_FOUND');
    expectModelError(await other.act('infer', same.id, { features }), 409, 'VERSION_NOT_PUBLISHED');
  });

  test('does not answer for an empty wallet', async () => {
    const { key, token } = await modelTenant(stack);
    const poor = versionsClient(stack, key);
    const { id } = await published(poor, upload());
    await stack.services.database.sql.query(
      `UPDATE model.wallets SET trial_used = 50000 WHERE workspace_id =
         (SELECT workspace_id FROM model.model_versions WHERE id = $1)`,
      [id],
    );
    expect(token).toBeTruthy();
    expectModelError(await poor.act('infer', id, { features }), 402, /CREDITS|SUBSCRIPTION/);
  });
});

test('an answer about a basket costs 60 credits', async () => {
  const content = csv(basketOfFeatures);
  const { id } = await published(client, upload({ config: { ...config, task: 'basket' }, content }));
  const before = await balance();
  const features = { f_a: 0.5, f_b: -0.5, f_c: 0, f_noise: 0 };
  const { body } = await client.act('infer', id, { features });
  expect(body.actions.length).toBeGreaterThan(0);
  expect(body.envelope.credits_charged).toBe(60);
  expect(await balance()).toBe(before - 60);
});

test('a version whose labels do not depend on the features is evaluated, but never approved', async () => {
  const content = csv((_, random) => (random() < 0.3 ? '1' : '0'));
  const { id } = await evaluated(client, upload({ content }));
  const { body } = await client.act('reports', id);
  expect(body.reports[0].evaluation.passed).toBe(false);
  expectModelError(await client.act('approve', id, await client.reviewOf(id)), 409, 'EVALUATION_FAILED');
});

describe('an upload is refused', () => {
  test.each([
    ['unconfirmed', { confirmed: false }, 400, 'CONFIRMATION_REQUIRED', /^confirmed /],
    ['without a confirmation', { confirmed: undefined }, 400, 'CONFIRMATION_REQUIRED', /^confirmed /],
    ['without a name', { name: '' }, 400, 'VALIDATION_FAILED', /^name /],
    ['without a configuration', { config: undefined }, 400, 'VALIDATION_FAILED', /^config is required/],
    ['of no task', { config: { ...config, task: 'churn' } }, 400, 'VALIDATION_FAILED', /^config.task /],
    ['of no origin', { config: { ...config, origin: 'prod' } }, 400, 'VALIDATION_FAILED', /^config.origin /],
    ['of no days', { config: { ...config, horizon: 0 } }, 400, 'VALIDATION_FAILED', /^config.horizon /],
    ['of half a day', { config: { ...config, horizon: 1.5 } }, 400, 'VALIDATION_FAILED', /^config.horizon /],
    [
      'of tiers without a rule',
      { config: { ...config, task: 'tier' } },
      400,
      'VALIDATION_FAILED',
      /ruleVersion/,
    ],
    ['with another field', { config: { ...config, seed: 1 } }, 400, 'UNKNOWN_FIELD', /seed/],
    ['without content', { content: '' }, 400, 'VALIDATION_FAILED', /^content /],
    ['with a large file', { content: 'x'.repeat(2 * 1024 * 1024 + 1) }, 413, 'UPLOAD_TOO_LARGE', /2 MiB/],
    ['with a large body', { content: 'x'.repeat(3 * 1024 * 1024) }, 413, /TOO_LARGE/, /./],
  ] as const)('%s', async (_, more, status, code, sentence) => {
    expectModelError(await client.post(upload(more)), status, code, sentence);
  });

  test('with every fault of its samples', async () => {
    const lines = csv(linearLabel).trimEnd().split('\n');
    lines[1] = lines[1]!.replace(/,[01],/, ',2,');
    lines[5] = lines[5]!.replace('member-', '');
    lines[5] = lines[5]!.replace(/Z,.*Z,/, 'Z,2025-13-01,');
    const { status, body, headers } = await client.post(upload({ content: lines.join('\n') }));
    expect([status, headers.get('x-error-code')]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body).toEqual({
      error: {
        code: 'VALIDATION_FAILED',
        message: expect.stringMatching(/^content has \d+ issues; row \d+: /),
      },
      issues: expect.arrayContaining([
        { row: 1, column: 'target', message: expect.any(String) },
        { row: 5, column: 'label_end', message: expect.any(String) },
      ]),
    });
  });

  test('and so is an unknown action', async () => {
    expectModelError(
      await client.post({ action: 'erase' }),
      400,
      'VALIDATION_FAILED',
      /^action must be one of/,
    );
    expectModelError(await client.post({}), 400, 'VALIDATION_FAILED', /^action is required/);
    expectModelError(await client.act('start', 'no-id'), 404, 'MODEL_VERSION_NOT_FOUND');
  });
});
