import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { given } from '../capabilities/capabilities.fixture.ts';
import { alignmentCsv } from '../pipelines/alignment.fixture.ts';
import { predictable } from '../pipelines/samples.fixture.ts';
import { standardTrainer } from '../pipelines/trainer.ts';
import { model } from '../subgraph.ts';
import { approveReport } from '../training/reviews.service.ts';
import { reviewOf, upload, work } from '../training/versions.fixture.ts';
import type { ModelVersion } from './model-version.ts';
import { publishVersion } from './publication.service.ts';
import type { VersionUpload } from './upload.ts';
import { getVersion, startVersion, uploadVersion } from './versions.service.ts';

const { newContext, services } = useServices();

/** Uploads a version and really trains it. */
async function trained(ctx: Context, more: Partial<VersionUpload>): Promise<ModelVersion> {
  const { version } = await uploadVersion(ctx, { ...upload, ...more });
  await startVersion(ctx, version);
  await work(ctx, standardTrainer);
  return getVersion(ctx, version);
}

async function published(ctx: Context, more: Partial<VersionUpload>): Promise<ModelVersion> {
  const version = await trained(ctx, more);
  await approveReport(ctx, await reviewOf(ctx, version));
  return publishVersion(ctx, version);
}

const tasks = ['RETURN', 'ITEM', 'BASKET', 'TIER'] as const;
const samplesOf = (subject: (typeof tasks)[number]) =>
  predictable(subject.toLowerCase() as 'return', { entities: 600, dates: 4 });
const alignment = { kind: 'ALIGNMENT', subject: 'PURCHASE', content: alignmentCsv() } as const;

const CARD = `card {
  version { id } report { reportHash } uses misuses data method
  evaluation { passed gates { name } } calibration { count predicted observed }
  features slices leakage outOfDistribution limitations reliabilityDiagram page
}`;

async function cardOf(ctx: Context, { id }: ModelVersion) {
  const { data } = await ask(model, ctx, `{ modelVersion(id: "${id}") { ${CARD} } }`);
  return data.modelVersion.card;
}

test.each([
  ...tasks.map((subject) => [subject, { subject, ruleVersion: '1', content: samplesOf(subject) }] as const),
  ['PURCHASE', alignment] as const,
])('the card of %s says what its report says, as data and as a page', async (_, about) => {
  const ctx = newContext();
  const version = await trained(ctx, { ...about, name: '<script>alert("1")</script> & more' });
  const card = await cardOf(ctx, version);
  expect(card.version.id).toBe(version.id);
  expect(card.data).toMatchObject({
    rows: version.sampleCount,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(card.calibration.length).toBeGreaterThan(1);
  for (const { observed } of card.calibration) expect(observed).toBeLessThanOrEqual(1);
  expect([card.uses.length, card.misuses.length, card.limitations.length]).not.toContain(0);
  expect(card.page).toContain(card.report.reportHash);
  expect(card.page).not.toContain('<script>');
  expect(card.page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more');
  expect(card.page).toContain(card.reliabilityDiagram);
  for (const { name } of card.evaluation.gates) expect(card.page).toContain(`<td>${name}</td>`);
  const circles = card.reliabilityDiagram.match(/<circle/g);
  expect(circles).toHaveLength(card.calibration.length);
});

test('a version without a report has no card', async () => {
  const ctx = newContext();
  const { version } = await uploadVersion(ctx, { ...upload, content: samplesOf('RETURN') });
  expect(await cardOf(ctx, version)).toBeNull();
});

const DIFFERENCE = `difference {
  published { id }
  metrics { name value publishedValue low high change isBeyondBounds }
  weights { name value publishedValue change }
  deciles { compared moved movedFar matrix }
}`;

async function differenceOf(ctx: Context, { id, reportId }: ModelVersion) {
  const query = `{ evaluationReport(versionId: "${id}", id: "${reportId}") { ${DIFFERENCE} } }`;
  const { data, message } = await ask(model, ctx, query);
  if (message) throw new Error(message);
  return data.evaluationReport.difference;
}

const sum = (rows: readonly (readonly number[])[]) => rows.flat().reduce((all, count) => all + count, 0);

test('a task differs from the published version by metrics, weights and places of its samples', async () => {
  const ctx = newContext();
  const content = samplesOf('RETURN');
  const first = await published(ctx, { content });
  expect(await differenceOf(ctx, first)).toBeNull();
  const same = await trained(ctx, { content, definition: 'The same samples.' });
  const none = await differenceOf(ctx, same);
  expect(none).toMatchObject({ published: { id: first.id }, deciles: { moved: 0, movedFar: 0 } });
  expect(none.deciles.compared).toBe(same.sampleCount);
  expect(none.weights).not.toHaveLength(0);
  for (const { change } of [...none.metrics, ...none.weights]) expect(change ?? 0).toBe(0);
  expect(none.metrics).toContainEqual(expect.objectContaining({ name: 'auc', isBeyondBounds: false }));
  const fewer = `${content.split('\n').slice(0, 1_400).join('\n')}\n`;
  const other = await differenceOf(ctx, await trained(ctx, { content: fewer }));
  expect(other.weights.some(({ change }: { change: number }) => change !== 0)).toBe(true);
  expect(other.deciles).toMatchObject({ compared: 1_399 });
  expect([other.deciles.moved > 0, sum(other.deciles.matrix)]).toEqual([true, 1_399]);
});

test('an alignment differs by the places of members', async () => {
  const ctx = newContext();
  for (let days = 1; days <= 30; days += 1)
    await given.buyer(
      ctx,
      Array.from({ length: 12 }, (_, at) => days + (7 + (days % 5) * 6) * at),
    );
  const first = await published(ctx, alignment);
  const same = await trained(ctx, { ...alignment, definition: 'The same samples.' });
  const difference = await differenceOf(ctx, same);
  expect(difference).toMatchObject({ published: { id: first.id }, deciles: { moved: 0 } });
  expect(difference.deciles.compared).toBeGreaterThan(10);
});

test('differences of a whole queue are read together', async () => {
  const ctx = newContext();
  await published(ctx, { content: samplesOf('RETURN') });
  const counted = async (first: number) => {
    services.statements.length = 0;
    const fresh = newContext({ workspaceId: ctx.scope.workspaceId });
    const query = `{ reportQueue(first: ${first}) { nodes { difference { metrics { name } published { id } } } } }`;
    expect((await ask(model, fresh, query)).data.reportQueue.nodes).toHaveLength(first);
    return services.statements.length;
  };
  for (const definition of ['1', '2', '3']) await trained(ctx, { content: samplesOf('RETURN'), definition });
  await counted(1);
  const ofOne = await counted(1);
  expect(await counted(3)).toBe(ofOne);
});
