import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { subscribeSubgraph } from '@loyalty/platform/graph/subgraph';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import type { ExecutionResult } from 'graphql';
import { givenCampaign, givenSegmentOf, takeSteps } from '../campaigns/campaigns.fixture.ts';
import { cancelCampaign, launchCampaign } from '../campaigns/launching.service.ts';
import {
  givenProvider,
  type MailApi,
  reaching,
  sendAll,
  startMailApi,
} from '../messages/messages.fixture.ts';
import { givenRecipients } from '../sending/sending.fixture.ts';
import { engagement } from '../subgraph.ts';
import { figuresOf } from './campaign-figures.service.ts';

const { services, ctx, fresh, newContext } = useServices();
let api: MailApi;
beforeAll(async () => {
  api = await startMailApi();
});
afterAll(() => api.close());
beforeEach(() => ctx.sql.query('UPDATE engagement.campaigns SET due_at = NULL'));

type Results = AsyncIterableIterator<ExecutionResult, undefined>;
const open: Results[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((results) => results.return!()));
});

const DOCUMENT = `subscription ($id: ID!) { campaignProgress(id: $id) { status
  figures { recipients heldOut waiting queued sent skipped failed skips { reason count }
    variants { key sent } } } }`;

async function watch(id: string, own = fresh()) {
  const answer = await subscribeSubgraph(engagement, { query: DOCUMENT, variables: { id } }, own);
  if (!('next' in answer)) throw Object.assign(new Error('refused'), answer.errors![0]!.extensions);
  open.push(answer);
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would
  const seen: any[] = [];
  const ended = (async () => {
    for await (const { data, errors } of answer) seen.push(errors?.[0] ?? data!['campaignProgress']);
  })();
  return { seen, ended };
}

test('progress begins with the campaign as it is, follows its messages, and ends with it', async () => {
  await givenProvider(fresh(), api);
  const id = await givenCampaign(fresh(), {
    segmentId: await givenSegmentOf(ctx, await givenRecipients(ctx, 3)),
  });
  const { seen, ended } = await watch(id);
  await eventually(() => expect(seen.at(-1)).toMatchObject({ status: 'DRAFT', figures: { recipients: 0 } }));
  await launchCampaign(fresh(), id);
  await takeSteps(services);
  await eventually(() =>
    expect(seen.at(-1)).toMatchObject({ status: 'SENDING', figures: { recipients: 3, queued: 3, sent: 0 } }),
  );
  await sendAll(reaching(services, [api.host]));
  await eventually(() =>
    expect(seen.at(-1)).toMatchObject({ status: 'SENDING', figures: { queued: 0, sent: 3 } }),
  );
  services.clock.advance(1_000);
  await takeSteps(services);
  await ended;
  expect(seen.at(-1)).toEqual({
    status: 'SENT',
    figures: {
      ...{ recipients: 3, heldOut: 0, waiting: 0, queued: 0, sent: 3, skipped: 0, failed: 0, skips: [] },
      variants: [{ key: 'A', sent: 3 }],
    },
  });
});

test('a cancelled campaign ends what is watched, and nobody watches that of another workspace', async () => {
  const id = await givenCampaign(fresh(), { segmentId: await givenSegmentOf(ctx, []) });
  await launchCampaign(fresh(), id);
  const { seen, ended } = await watch(id);
  await expect(watch(id, newContext())).rejects.toMatchObject({ reason: 'CAMPAIGN_NOT_FOUND' });
  await eventually(() => expect(seen).not.toHaveLength(0));
  await cancelCampaign(fresh(), id);
  await ended;
  expect(seen.at(-1)).toMatchObject({ status: 'CANCELLED' });
});

test('figures add up: each recipient is held out, skipped, waits, or has a message in one state', () => {
  const row = { sourceId: '', nodeId: '', variant: 'A', opened: 0, clicked: 0, unsubscribed: 0 };
  const figures = figuresOf(
    [
      { variant: 'A', state: 'HELD_OUT', reason: null, count: 5 },
      { variant: 'A', state: 'WAITING', reason: null, count: 4 },
      { variant: 'A', state: 'SKIPPED', reason: 'MEMBER_ERASED', count: 3 },
      { variant: 'A', state: 'QUEUED', reason: null, count: 20 },
    ],
    [
      { ...row, status: 'DELIVERED', reason: '', count: 6, opened: 4, clicked: 2, unsubscribed: 1 },
      { ...row, status: 'BOUNCED', reason: '', count: 2 },
      { ...row, status: 'COMPLAINED', reason: '', count: 1, opened: 1 },
      { ...row, status: 'SUPPRESSED', reason: 'BOUNCED', count: 3 },
      { ...row, status: 'SKIPPED', reason: 'NO_CONSENT', count: 2 },
      { ...row, status: 'FAILED', reason: 'RENDER_FAILED', count: 1 },
      { ...row, status: 'QUEUED', reason: 'QUIET_HOURS', count: 1 },
    ],
    false,
  );
  expect(figures).toEqual({
    ...{
      recipients: 32,
      heldOut: 5,
      waiting: 4,
      queued: 5,
      sent: 9,
      delivered: 7,
      bounced: 2,
      complained: 1,
    },
    ...{ opened: 5, clicked: 2, unsubscribed: 1, failed: 1, skipped: 8 },
    skips: [
      { reason: 'BOUNCED', count: 3 },
      { reason: 'MEMBER_ERASED', count: 3 },
      { reason: 'NO_CONSENT', count: 2 },
      { reason: 'RENDER_FAILED', count: 1 },
    ],
  });
  const { heldOut, waiting, skipped, queued, sent, failed } = figures;
  expect(heldOut + waiting + skipped + queued + sent + failed).toBe(figures.recipients);
});
