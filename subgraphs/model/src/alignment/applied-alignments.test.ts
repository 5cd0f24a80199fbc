import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { call, callAll, given } from '../capabilities/capabilities.fixture.ts';
import { alignmentCsv } from '../pipelines/alignment.fixture.ts';
import { standardTrainer } from '../pipelines/trainer.ts';
import { approveReport } from '../training/reviews.service.ts';
import { reviewOf, upload, work } from '../training/versions.fixture.ts';
import { publishVersion } from '../versions/publication.service.ts';
import { getVersion, startVersion, uploadVersion } from '../versions/versions.service.ts';

const { newContext, services } = useServices();

/** Trains and publishes a live alignment of purchases. */
async function givenAlignment(ctx: Context): Promise<string> {
  const about = { kind: 'ALIGNMENT', subject: 'PURCHASE', content: alignmentCsv() } as const;
  const { version } = await uploadVersion(ctx, { ...upload, ...about });
  await startVersion(ctx, version);
  await work(ctx, standardTrainer);
  await approveReport(ctx, await reviewOf(ctx, await getVersion(ctx, version)));
  await publishVersion(ctx, version);
  return version.id;
}

/** Creates a regular buyer like those in the samples. */
const givenBuyer = (ctx: Context) =>
  given.buyer(
    ctx,
    Array.from({ length: 12 }, (_, at) => 3 + 14 * at),
  );

test('a batch of members costs as many statements as one member', async () => {
  const ctx = newContext();
  const memberIds = [];
  for (let count = 0; count < 6; count += 1) memberIds.push(await givenBuyer(ctx));
  const id = await givenAlignment(ctx);
  const counted = async (ids: readonly string[]) => {
    services.statements.length = 0;
    const requests = ids.map((member_id) => ({
      id: member_id,
      name: 'model_predict_purchase',
      arguments: { member_id },
    }));
    const { data } = await callAll(ctx, requests);
    const found = data.callCapabilities.results.map(
      ({ result }: { result: { data: { purchase: { alignment: { id: string } } } } }) =>
        result.data.purchase.alignment.id,
    );
    expect(found).toEqual(ids.map(() => id));
    return services.statements.length;
  };
  await counted(memberIds.slice(0, 1));
  const ofOne = await counted(memberIds.slice(0, 1));
  expect(await counted(memberIds.slice(0, 3))).toBe(ofOne);
});

test('the sandbox does not see live alignments', async () => {
  const live = newContext();
  await givenAlignment(live);
  const ctx = newContext({ mode: 'TEST', workspaceId: live.scope.workspaceId });
  const memberId = await givenBuyer(ctx);
  const { data } = await call(ctx, 'model_predict_purchase', { member_id: memberId });
  expect(data.callCapability.data.purchase).not.toHaveProperty('standard_score');
});

test('says the same whichever version answers beside it', async () => {
  const ctx = newContext();
  const memberId = await givenBuyer(ctx);
  await givenAlignment(ctx);
  const purchaseBy = async (model_version: string) => {
    const { data } = await call(ctx, 'model_predict_purchase', { member_id: memberId, model_version });
    return data.callCapability.data.purchase;
  };
  const [first, second] = [await purchaseBy('std-1'), await purchaseBy('std-2')];
  expect(second.standard_score).not.toBe(first.standard_score);
  expect(second.score).toBe(first.score);
});
