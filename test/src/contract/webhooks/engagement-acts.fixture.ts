import { type Act, enrol, type Ids, run, waitFor } from './programme.fixture.ts';

/** Acts on segments, campaigns and journeys. */
export const engagementActs: readonly Act[] = [
  [
    ['journey.step_reached'],
    async (programme) => {
      const definition = `{entry: {event: {type: "member.created"}}, reentry: {rule: "NEVER"}, start: "hook",
        nodes: [{id: "hook", type: "webhook", name: "Welcome", next: null}]}`;
      const { made } = await run(
        programme,
        `mutation { made: createJourney(input: {name: "Welcome", definition: ${definition}}) { id } }`,
      );
      await run(programme, `mutation { launchJourney(id: "${made!.id}") { id } }`);
      await enrol(programme);
    },
  ],
  [
    ['segment.entered', 'segment.left'],
    async (programme) => {
      const made = await run(
        programme,
        `mutation { segment: createSegment(input: {name: "Friends", definition: {field: "tags", operator: "includes_any", value: ["friend"]}}) { id } }`,
      );
      const segment = `{ segment(id: "${made['segment']!.id}") { id memberCount computedAt } }`;
      type Computed = { readonly memberCount: number; readonly computedAt: string | null };
      const size = ({ segment: found }: Ids) => found as unknown as Computed;
      await waitFor(programme, segment, (found) => size(found).computedAt !== null);
      const id = await enrol(programme);
      await run(programme, `mutation { tagMember(memberId: "${id}", key: "friend") { id } }`);
      await waitFor(programme, segment, (found) => size(found).memberCount === 1);
      await run(programme, `mutation { untagMember(memberId: "${id}", key: "friend") { id } }`);
    },
  ],
  [
    ['campaign.started', 'campaign.finished'],
    async (programme) => {
      const { segment } = await run(
        programme,
        `mutation { segment: createSegment(input: {name: "All", definition: {
           field: "points_balance", operator: "at_least", value: 0}}) { id } }`,
      );
      const computing = `{ segment(id: "${segment!.id}") { id isComputing } }`;
      await waitFor(
        programme,
        computing,
        ({ segment: found }) => !(found as { isComputing?: boolean }).isComputing,
      );
      const { campaign } = await run(
        programme,
        `mutation { campaign: createCampaign(input: {name: "News", channel: EMAIL, subject: "News",
           html: "News", segmentId: "${segment!.id}"}) { id } }`,
      );
      await run(programme, `mutation { launchCampaign(id: "${campaign!.id}") { id } }`);
      const sending = `{ campaign(id: "${campaign!.id}") { id status } }`;
      await waitFor(programme, sending, ({ campaign: found }) => {
        programme.stack.services.clock.advance(5_000);
        return (found as { status?: string }).status === 'SENT';
      });
    },
  ],
];
