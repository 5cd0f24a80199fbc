import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { getWallet } from '../credits/wallet.service.ts';
import { meanTrainer } from '../pipelines/trainer.fixture.ts';
import { flipByte, givenApproved, givenPublished } from '../training/versions.fixture.ts';
import { inferTraining } from './inference.service.ts';
import type { TrainingTaskName } from './model-version.ts';
import { unpublishVersion } from './publication.service.ts';

const { ctx, fresh } = useServices();
const infer = (id: string, features: Record<string, unknown>, as: Context = fresh()) =>
  inferTraining(as, { id, features }, meanTrainer());
const left = async () => (await getWallet(fresh())).balance;

describe('a published version', () => {
  test.each<[TrainingTaskName, number]>([
    ['RETURN', 10],
    ['TIER', 10],
    ['ITEM', 60],
    ['BASKET', 60],
  ])('of %s answers for %i credits', async (subject, price) => {
    const { id } = await givenPublished(ctx, { subject, ruleVersion: '1' });
    const before = await left();
    const inferred = await infer(id, { f_x: 0.5 });
    expect(inferred).toMatchObject({
      inDistribution: true,
      value: 0.5,
      conclusions: ['Likely.'],
      creditsCharged: price,
    });
    expect(Number(before - (await left()))).toBe(price);
  });

  test('costs nothing where the features are unlike its training data, or wrong', async () => {
    const { id } = await givenPublished(ctx, { subject: 'ITEM' });
    const before = await left();
    expect(await infer(id, { f_x: 5 })).toMatchObject({
      inDistribution: false,
      value: null,
      conclusions: [],
      actions: [],
      limits: ['f_x'],
      creditsCharged: 0,
    });
    for (const features of [{}, { f_x: 1, f_y: 1 }, { f_x: '1' }, { f_x: Number.NaN }, { f_x: null }])
      await expect(infer(id, features)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const wallet = await getWallet(fresh());
    expect([wallet.balance, wallet.reserved]).toEqual([before, 0n]);
  });

  test('is free in the sandbox', async () => {
    const sandbox = fresh({ mode: 'TEST' });
    const { id } = await givenPublished(sandbox);
    expect(await infer(id, { f_x: 0.5 }, fresh({ mode: 'TEST' }))).toMatchObject({
      creditsCharged: 0,
      value: 0.5,
    });
  });

  test('does not answer from an artifact that changed', async () => {
    const version = await givenPublished(ctx);
    await flipByte(ctx, version);
    await expect(infer(version.id, { f_x: 0.5 })).rejects.toMatchObject({ code: 'ARTIFACT_CHANGED' });
  });
});

test('a version that is not published does not answer, nor does an alignment', async () => {
  const approved = await givenApproved(ctx);
  await expect(infer(approved.id, { f_x: 0.5 })).rejects.toMatchObject({ code: 'VERSION_NOT_PUBLISHED' });
  const published = await givenPublished(ctx, { horizon: 60 });
  await unpublishVersion(ctx, published);
  await expect(infer(published.id, { f_x: 0.5 })).rejects.toMatchObject({ code: 'VERSION_NOT_PUBLISHED' });
  const alignment = await givenPublished(ctx, { kind: 'ALIGNMENT', subject: 'CHURN' });
  await expect(infer(alignment.id, { f_x: 0.5 })).rejects.toMatchObject({ code: 'MODEL_VERSION_NOT_FOUND' });
});
