import { enterRuns } from '@loyalty/engagement-subgraph/journey-runs/enter-runs.service';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';

/**
 * Journeys and automations. The first journey has versions and members, and one member is in all journeys.
 */
export async function journeyLists(
  ctx: Context,
  memberIds: readonly string[],
  create: (mutation: (place: number) => string) => Promise<string[]>,
): Promise<string> {
  const definition = (days: number) => `{entry: {event: {type: "member.created"}}, reentry: {rule: "NEVER"},
    start: "wait", nodes: [{id: "wait", type: "delay", days: ${days}, next: null}]}`;
  await create(
    (place) => `createAutomation(input: {name: "A${place}", trigger: {kind: "member_created"},
    actions: [{type: "addTag", tag: "new"}]})`,
  );
  const journeys = await create(
    (place) => `createJourney(input: {name: "J${place}", definition: ${definition(1)}})`,
  );
  await create((place) => `launchJourney(id: "${journeys[place]}")`);
  await create(
    (place) => `updateJourney(id: "${journeys[0]}", input: {definition: ${definition(place + 2)}}) { id }
    launch${place}: launchJourney(id: "${journeys[0]}")`,
  );
  for (const [place, journeyId] of journeys.entries()) {
    const entries = (place === 0 ? memberIds : memberIds.slice(0, 1)).map((memberId) => ({
      memberId,
      entryKey: newId(ctx.clock),
      trigger: {},
    }));
    await ctx.transaction((tx) => enterRuns(tx, { journeyId, entries }));
  }
  return journeys[0]!;
}
