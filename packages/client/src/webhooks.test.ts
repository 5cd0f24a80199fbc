import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookError } from './webhooks.ts';

const secret = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret of 24 bytes').toString('base64')}`;
const body = JSON.stringify({ type: 'member.created', data: { email: 'zoë@example.com' } });

function signed(by: readonly string[], at = new Date()) {
  const signatures = by.map((each) => new Webhook(each).sign('evt_1', at, body));
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

test('what another library signed is verified, while secrets are rotated, too', async () => {
  const event = { id: 'evt_1', type: 'member.created', data: { email: 'zoë@example.com' } };
  expect(await verifyWebhook({ headers: signed([secret]), body, secret })).toEqual(event);
  expect(await verifyWebhook({ headers: new Headers(signed([other, secret])), body, secret })).toEqual(event);
  expect(await verifyWebhook({ headers: signed([secret]), body, secret: [other, secret] })).toEqual(event);
});

const MINUTE_MS = 60_000;
test.each([
  ['another secret', { headers: signed([other]), body, secret }],
  ['another body', { headers: signed([secret]), body: `${body} `, secret }],
  ['another id', { headers: { ...signed([secret]), 'webhook-id': 'evt_2' }, body, secret }],
  ['an old time', { headers: signed([secret], new Date(Date.now() - 6 * MINUTE_MS)), body, secret }],
  ['a time ahead', { headers: signed([secret], new Date(Date.now() + 6 * MINUTE_MS)), body, secret }],
  ['no time', { headers: { ...signed([secret]), 'webhook-timestamp': 'now' }, body, secret }],
  ['no headers', { headers: {}, body, secret }],
  [
    'a signature that is no base64',
    { headers: { ...signed([secret]), 'webhook-signature': 'v1,%%' }, body, secret },
  ],
  [
    'a signature of another version',
    {
      headers: {
        ...signed([secret]),
        'webhook-signature': signed([secret])['webhook-signature'].replace('v1,', 'v2,'),
      },
      body,
      secret,
    },
  ],
  ['an empty secret', { headers: signed([secret]), body, secret: 'whsec_' }],
  ['a secret of another form', { headers: signed([secret]), body, secret: 'secret' }],
])('%s is refused', async (_, received) => {
  await expect(verifyWebhook(received)).rejects.toThrow(WebhookError);
});
