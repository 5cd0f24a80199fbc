import { computeSegment } from '@loyalty/engagement-subgraph/profiles/computations.service';
import { givenProfiles } from '@loyalty/engagement-subgraph/profiles/profiles.fixture';
import type { Context } from '@loyalty/platform/context';

/** Makes segments, of which the first contains all of these members; returns its id. */
export async function segmentLists(
  ctx: Context,
  memberIds: readonly string[],
  create: (mutation: (place: number) => string) => Promise<string[]>,
): Promise<string> {
  await givenProfiles(
    ctx,
    memberIds.map((memberId) => ({ memberId })),
  );
  const segments = await create(
    (place) => `createSegment(input: {name: "S${place}", definition: {op: "and", conditions: []}})`,
  );
  await computeSegment(ctx, segments[0]!);
  return segments[0]!;
}
