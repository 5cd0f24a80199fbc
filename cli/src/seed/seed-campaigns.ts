import { type Ask, untilDone } from './ask.ts';

/** The parts of the demo workspace that its campaigns need. */
export interface SeededProgramme {
  /** Members who consented to mail. */
  readonly memberIds: readonly string[];
  readonly storeId: string;
  readonly poolId: string;
}

const POLL_MS = 250;
/** Number of members who order after the campaign. */
const ORDERS = 6;

/** Adds two segments, a campaign that was sent, a journey with members in it, and an automation. */
export async function seedCampaigns(ask: Ask, programme: SeededProgramme): Promise<void> {
  const guests = await createSegment(ask, 'Guests who read mail', [readsMail]);
  const regulars = await createSegment(ask, 'Regulars', [
    readsMail,
    { event: 'order.created', operator: 'at_least', count: 5, within_days: 90 },
  ]);
  await createAutomation(ask, programme);
  for (const id of [guests, regulars]) await untilComputed(ask, id);
  await launchJourney(ask, regulars);
  const campaignId = await createCampaign(ask, guests);
  await ask('mutation Launch($id: ID!) { launchCampaign(id: $id) { id } }', { id: campaignId });
  await untilDone('The campaign is not sent', POLL_MS, async () => {
    const { campaign } = await ask('query Sent($id: ID!) { campaign(id: $id) { status } }', {
      id: campaignId,
    });
    return (campaign as { status: string }).status === 'SENT';
  });
  await orderAfterwards(ask, programme);
}

const readsMail = { field: 'consents', operator: 'includes_any', value: ['EMAIL_MARKETING'] };

async function createSegment(ask: Ask, name: string, conditions: readonly unknown[]): Promise<string> {
  const query = 'mutation CreateSegment($input: CreateSegmentInput!) { createSegment(input: $input) { id } }';
  const definition = { op: 'and', conditions };
  const { createSegment: created } = await ask(query, { input: { name, definition } });
  return (created as { id: string }).id;
}

const COMPUTED = 'query Computed($id: ID!) { segment(id: $id) { isComputing computedAt } }';

const untilComputed = (ask: Ask, id: string): Promise<void> =>
  untilDone('The members of a segment are not found', POLL_MS, async () => {
    const { segment } = await ask(COMPUTED, { id });
    const { isComputing, computedAt } = segment as { isComputing: boolean; computedAt: string | null };
    return !isComputing && computedAt !== null;
  });

async function createCampaign(ask: Ask, segmentId: string): Promise<string> {
  const query =
    'mutation CreateCampaign($input: CreateCampaignInput!) { createCampaign(input: $input) { id } }';
  const variant = (key: string, subject: string) => ({
    key,
    subject,
    html: `<p>Hello {{ member.first_name }}, the autumn menu is here.</p>
      <p><a href="https://harbour-coffee.example/autumn">See the menu</a></p>`,
  });
  const { createCampaign: created } = await ask(query, {
    input: {
      name: 'Autumn menu',
      channel: 'EMAIL',
      segmentIds: [segmentId],
      variants: [
        variant('plain', 'The autumn menu is here'),
        variant('warm', 'Something warm for you, {{ member.first_name }}'),
      ],
      holdOutPercent: 20,
    },
  });
  return (created as { id: string }).id;
}

/**
 * Some members buy after the campaign, no matter whether they got the mail or are held out, so that the
 * results can show both groups.
 */
async function orderAfterwards(ask: Ask, { memberIds, storeId }: SeededProgramme): Promise<void> {
  const query = 'mutation CreateOrder($input: OrderInput!) { createOrder(input: $input) { id } }';
  for (const [index, memberId] of memberIds.slice(0, ORDERS).entries()) {
    const input = {
      externalOrderId: `demo-autumn-${index + 1}`,
      memberId,
      storeId,
      currency: 'EUR',
      total: 690 + 110 * index,
      occurredAt: new Date(),
      items: [{ name: 'Pumpkin latte', quantity: 1, unitPrice: 690 }],
    };
    await ask(query, { input });
  }
}

/** Launches a journey: regulars get points, and a notification if they do not order within three days. */
async function launchJourney(ask: Ask, segmentId: string): Promise<void> {
  const query = 'mutation CreateJourney($input: CreateJourneyInput!) { createJourney(input: $input) { id } }';
  const definition = {
    entry: { segmentId },
    reentry: { rule: 'NEVER' },
    start: 'thanks',
    nodes: [
      {
        id: 'thanks',
        label: 'Thank regulars',
        type: 'awardPoints',
        amount: 10,
        description: 'For our regulars',
        next: 'order',
      },
      {
        id: 'order',
        label: 'Wait for an order',
        type: 'waitForEvent',
        event: { type: 'order.created' },
        timeout: { days: 3 },
        next: null,
        otherwise: 'reminder',
      },
      {
        id: 'reminder',
        label: 'Remind',
        type: 'webPush',
        title: 'A coffee today?',
        body: 'Your {{ member.points_balance }} points are waiting.',
        next: null,
      },
    ],
  };
  const { createJourney } = await ask(query, { input: { name: 'Regulars', definition } });
  const { id } = createJourney as { id: string };
  await ask('mutation LaunchJourney($id: ID!) { launchJourney(id: $id) { id } }', { id });
}

/** Activates an automation that issues a coupon on the birthday of a member. */
async function createAutomation(ask: Ask, { poolId }: SeededProgramme): Promise<void> {
  const query =
    'mutation CreateAutomation($input: CreateAutomationInput!) { createAutomation(input: $input) { id } }';
  const input = {
    name: 'Birthday coffee',
    trigger: { kind: 'birthday' },
    actions: [{ type: 'issueCoupon', poolId }],
  };
  const { createAutomation: created } = await ask(query, { input });
  const { id } = created as { id: string };
  await ask('mutation Activate($id: ID!) { activateAutomation(id: $id) { id } }', { id });
}
