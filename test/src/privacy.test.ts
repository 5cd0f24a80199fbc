import { beforeAll, expect, test } from '@jest/globals';
import { enrol } from './contract/members/members.fixture.ts';
import { eventually } from './harness/eventually.ts';
import { useStack } from './harness/stack.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  await stack.work();
});

const ask = async (query: string, variables: object, as = token) => {
  const { data, errors } = await stack.graph<Record<string, never>>(query, variables, as);
  if (errors) throw new Error(JSON.stringify(errors));
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as a client would
  return data as Record<string, any>;
};
const CONSENT = `mutation ($id: ID!, $granted: Boolean!) {
  setMemberConsent(memberId: $id, purpose: EMAIL_MARKETING, granted: $granted) { id } }`;
const READ = `query ($id: ID!) { member(id: $id) { status suppression { isUnsubscribed }
  consents { purpose isGranted } consentHistory { totalCount } } }`;
const marketing = (member: { consents: { purpose: string; isGranted: boolean }[] }) =>
  member.consents.find(({ purpose }) => purpose === 'EMAIL_MARKETING')!.isGranted;

test('a member that withdraws its consent to mail is suppressed, and granting it again changes that no more', async () => {
  const { id, email } = await enrol(stack, key);
  const { startMemberSession } = await ask(
    'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }',
    { id },
  );
  await ask(CONSENT, { id, granted: false }, startMemberSession.token);
  await eventually(async () => {
    const { member } = await ask(READ, { id });
    expect(member).toMatchObject({ status: 'UNSUBSCRIBED', suppression: { isUnsubscribed: true } });
    expect(marketing(member)).toBe(false);
  });
  await ask(CONSENT, { id, granted: true }, key);
  const { member } = await ask(READ, { id });
  expect(member).toMatchObject({ status: 'UNSUBSCRIBED', suppression: { isUnsubscribed: true } });
  expect(marketing(member)).toBe(true);
  const { body } = await stack.rest('GET', `/api/v2/members/unsubscribe?email=${email}`, { as: key });
  expect(body.data.unsubscribed).toBe(true);
});

test('an address that unsubscribes withdraws the consent of its member', async () => {
  const { id, email } = await enrol(stack, key);
  await stack.rest('POST', '/api/v2/members/unsubscribe', { as: key, body: { email } });
  await eventually(async () => {
    const { member } = await ask(READ, { id });
    expect([marketing(member), member.consentHistory.totalCount]).toEqual([false, 1]);
  });
});

test('an export is gathered in the background and holds what every subgraph knows', async () => {
  const { id, email, name } = await enrol(stack, key);
  await stack.rest('POST', '/api/v2/members/unsubscribe', { as: key, body: { email } });
  const { requestMemberExport: asked } = await ask(
    'mutation ($id: ID!) { requestMemberExport(memberId: $id) { id status } }',
    { id },
  );
  expect(asked.status).toBe('PENDING');
  await eventually(async () => {
    const { memberExport } = await ask(
      'query ($id: ID!) { memberExport(id: $id) { status sizeBytes content } }',
      { id: asked.id },
    );
    expect(memberExport).toMatchObject({
      status: 'COMPLETED',
      sizeBytes: expect.any(Number),
      content: {
        member: { id, email, name },
        engagement: { suppression: { isUnsubscribed: true, reasons: ['UNSUBSCRIBED'] } },
      },
    });
  });
});
