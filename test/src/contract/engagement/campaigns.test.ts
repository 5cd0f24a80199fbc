import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';

const stack = useStack();
let token: string;
let key: string;
let segmentId: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token, ['campaigns:read', 'campaigns:write'])).secret;
  const { data } = await stack.graph<{ createSegment: { id: string } }>(
    `mutation { createSegment(input: {name: "All", definition: {field: "points_balance", operator: "at_least", value: 0}}) { id } }`,
    {},
    token,
  );
  segmentId = data.createSegment.id;
});

const post = (body: object, as = key) => stack.rest('POST', '/api/v2/campaigns', { as, body });
const draft = () => ({
  ...{
    name: 'Spring',
    channel: 'email',
    subject: 'Hi {{ member.first_name }}',
    html: '<p>Hi</p>',
    segmentId,
  },
});

test('POST /campaigns makes a draft, which the list and its own path print; nothing is sent', async () => {
  const made = await post(draft());
  expect(made.status).toBe(201);
  const { id } = made.body.data;
  const printed = {
    ...{ id, name: 'Spring', channel: 'email', status: 'draft', segmentIds: [segmentId] },
    variants: [
      { key: 'A', weight: 1, subject: 'Hi {{ member.first_name }}', html: '<p>Hi</p>', title: null },
    ],
    ...{ started_at: null, finished_at: null, scheduled_at: null, journeyId: null },
  };
  expect(made.body.data).toMatchObject(printed);
  const one = await stack.rest('GET', `/api/v2/campaigns/${id}`, { as: key });
  expect([one.status, one.body.data]).toEqual([200, made.body.data]);
  const list = await stack.rest('GET', '/api/v2/campaigns?limit=1', { as: key });
  expect([list.status, list.body]).toEqual([200, { campaigns: [made.body.data], total: 1 }]);
  expect((await post({ ...draft(), name: 'Second', status: 'draft' })).status).toBe(201);
});

test.each([
  ['a status other than draft', { status: 'sending' }, /^status /],
  ['an unknown status', { status: 'live' }, /^status must be one of /],
  ['an unknown key', { launch: true }, /launch/],
  ['an unknown channel', { channel: 'sms' }, /^channel must be one of email, web_push/],
  ['a subject without html', { html: undefined }, /^html must be given with subject/],
  ['a bad template', { html: '{{ x' }, /^html .* line 1, column 1/],
  ['no name', { name: undefined }, /^name /],
])('400 for %s, and nothing is made', async (_, more, sentence) => {
  const before = (await stack.rest('GET', '/api/v2/campaigns', { as: key })).body.total;
  const { status, body } = await post({ ...draft(), ...more });
  expect(status).toBe(400);
  expect(body.error).toMatch(sentence);
  expect((await stack.rest('GET', '/api/v2/campaigns', { as: key })).body.total).toBe(before);
});

test('403 without the scope, 404 for what is not there', async () => {
  const reader = (await stack.key(token, ['campaigns:read'])).secret;
  expect((await post(draft(), reader)).status).toBe(403);
  const other = (await stack.signUp()).token;
  const { id } = (await post(draft())).body.data;
  for (const [as, of] of [
    [key, '0197a3c9-1c42-7d11-8b7e-3a9c5d1f6e20'],
    [other, id],
  ] as const)
    expect((await stack.rest('GET', `/api/v2/campaigns/${of}`, { as })).status).toBe(404);
  expect((await post({ ...draft(), segmentId: '0197a3c9-1c42-7d11-8b7e-3a9c5d1f6e20' })).status).toBe(404);
});
