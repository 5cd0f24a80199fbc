import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { forgetMember, memberData } from '../member-data.service.ts';
import { samplesOf } from '../pipelines/trainer.fixture.ts';
import { givenPublished, givenVersion } from '../training/versions.fixture.ts';
import { getVersion, samplesOf as keptSamples, startVersion } from './versions.service.ts';

const { ctx, newContext } = useServices();

/** Creates a member with this id in the customer's own systems. */
async function givenMember(externalId: string): Promise<string> {
  const memberId = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO model.member_mappings
       (workspace_id, mode, member_id, id, external_id, fingerprint, created_at)
     VALUES ($1, 'LIVE', $2, $2, $3, '', now())`,
    [ctx.scope.workspaceId, memberId, externalId],
  );
  return memberId;
}

test('samples go with a member who is in them; what was trained stays', async () => {
  const version = await givenPublished(ctx);
  const memberId = await givenMember('member-3');
  const other = await givenVersion(ctx, { content: samplesOf(3) });
  const elsewhere = newContext();
  const foreign = await givenVersion(elsewhere);
  const { samples } = await memberData(ctx, memberId);
  expect(samples).toEqual([
    {
      versionId: version.id,
      cells: {
        sample_id: 's3',
        entity_id: 'member-3',
        as_of: '2025-01-01',
        label_end: '2025-01-31',
        target: '1',
        f_x: '0.3',
      },
    },
  ]);
  await forgetMember(ctx, memberId);
  expect(await keptSamples(ctx, version.id)).toBeNull();
  expect(await getVersion(ctx, version)).toEqual(version);
  expect(await keptSamples(ctx, other.id)).not.toBeNull();
  expect(await keptSamples(elsewhere, foreign.id)).not.toBeNull();
  expect((await memberData(ctx, memberId))['samples']).toEqual([]);
});

test('samples are found by the id of the member, and by whole cells only', async () => {
  const memberId = await givenMember('member-1');
  const content = `${samplesOf(3).replace('member-1', memberId)}\ns9,member-10,2025-01-01,2025-01-31,1,0`;
  const named = await givenVersion(ctx, { content });
  const alike = await givenVersion(ctx, { content: content.replace(memberId, 'member-11') });
  await forgetMember(ctx, memberId);
  expect(await keptSamples(ctx, named.id)).toBeNull();
  expect(await keptSamples(ctx, alike.id)).not.toBeNull();
  await expect(startVersion(ctx, named)).rejects.toMatchObject({
    code: 'SAMPLES_ERASED',
    category: 'CONFLICT',
  });
});
