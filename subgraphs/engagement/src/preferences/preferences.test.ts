import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf } from '@loyalty/test/harness/services';
import { useStack } from '@loyalty/test/harness/stack';
import { linksFor, trackedHtml } from '../links/links.service.ts';
import { eventsOf, sentMessage } from '../messages/messages.fixture.ts';

const stack = useStack();

const FIELDS = 'workspaceName isUnsubscribed consents { purpose isGranted }';
const READ = `query ($token: String!) { answer: preferences(token: $token) { ${FIELDS} } }`;
const SET = `mutation ($token: String!, $consents: [PreferenceInput!]!) {
  answer: setPreferencesByToken(token: $token, input: { consents: $consents }) { ${FIELDS} } }`;
const UNSUBSCRIBE = 'mutation ($token: String!) { answer: unsubscribeByToken(token: $token) }';
const MEMBER = 'query ($id: ID!) { member(id: $id) { status consents { purpose isGranted } } }';

let owner: { token: string; workspaceId: string };
let key: string;
let ctx: Context;
beforeAll(async () => {
  owner = await stack.signUp('Ada Owner');
  ({ secret: key } = await stack.key(owner.token));
  ctx = contextOf(stack.services, callerOf({ workspaceId: owner.workspaceId }));
  await stack.work();
});

interface Answer {
  readonly workspaceName: string;
  readonly isUnsubscribed: boolean;
  readonly consents: readonly { purpose: string; isGranted: boolean }[];
}

/** Sends a query without a credential, as the page does. */
async function ask(query: string, variables: object): Promise<{ answer: Answer | null; reason: unknown }> {
  const { data, errors } = await stack.graph<{ answer: Answer } | null>(query, variables);
  return { answer: data?.answer ?? null, reason: errors?.[0]?.extensions['reason'] };
}

const tokenOf = async (there: Context, message: Parameters<typeof linksFor>[1]) =>
  (await linksFor(there, message)).preferencesUrl.split('#token=')[1]!;

let people = 0;
/** Creates a recipient, who may be a member, and the token of a message to them. */
async function recipient({ isMember = true } = {}) {
  people += 1;
  const email = `reader${people}@example.com`;
  const { body } = isMember
    ? await stack.rest('POST', '/api/v2/members', { as: key, body: { email, fullName: 'Rea Reader' } })
    : { body: { id: null } };
  const message = await sentMessage(ctx, email);
  return { email, message, id: body.id as string, token: await tokenOf(ctx, message) };
}

const granted = ({ consents }: Answer | { consents: Answer['consents'] }): Record<string, boolean> =>
  Object.fromEntries(consents.map(({ purpose, isGranted }) => [purpose, isGranted]));
const memberOf = async (id: string) =>
  (await stack.graph<{ member: Answer & { status: string } }>(MEMBER, { id }, owner.token)).data.member;
const isUnsubscribed = async (email: string): Promise<boolean> =>
  (await stack.rest('GET', `/api/v2/members/unsubscribe?email=${email}`, { as: key })).body.data.unsubscribed;

describe('a member', () => {
  test('sees the name of the sender and each purpose, and nothing of itself', async () => {
    const { token } = await recipient();
    const { answer } = await ask(READ, { token });
    expect(answer!.workspaceName).not.toBe('');
    expect(answer!.isUnsubscribed).toBe(false);
    expect(granted(answer!)).toEqual({ PRECISE_LOCATION: false, EMAIL_MARKETING: true, PROFILING: false });
    expect(JSON.stringify(answer)).not.toMatch(/@|reader|Rea/i);
  });

  test('switches one purpose on and off again, and the others stay', async () => {
    const { token, id } = await recipient();
    for (const isGranted of [true, true, false]) {
      const { answer } = await ask(SET, { token, consents: [{ purpose: 'PROFILING', isGranted }] });
      const expected = { PRECISE_LOCATION: false, EMAIL_MARKETING: true, PROFILING: isGranted };
      expect([granted(answer!), granted(await memberOf(id))]).toEqual([expected, expected]);
    }
    expect((await ask(READ, { token })).answer!.isUnsubscribed).toBe(false);
  });

  test('who withdraws mail is unsubscribed at once and for good, on record once', async () => {
    const { token, id, email, message } = await recipient();
    const mail = (isGranted: boolean) =>
      ask(SET, { token, consents: [{ purpose: 'EMAIL_MARKETING', isGranted }] });
    for (let time = 0; time < 2; time += 1) {
      const { answer } = await mail(false);
      expect([answer!.isUnsubscribed, granted(answer!)['EMAIL_MARKETING']]).toEqual([true, false]);
      expect(await isUnsubscribed(email)).toBe(true);
    }
    expect(await eventsOf(ctx, message.id)).toEqual([{ kind: 'UNSUBSCRIBED', url: null }]);
    await eventually(async () => expect((await memberOf(id)).status).toBe('UNSUBSCRIBED'));
    expect(granted(await memberOf(id))['EMAIL_MARKETING']).toBe(false);
    expect((await mail(true)).reason).toBe('RESUBSCRIPTION_REFUSED');
    expect(await isUnsubscribed(email)).toBe(true);
    // Other choices of the same call are not changed either.
    const both = ['EMAIL_MARKETING', 'PROFILING'].map((purpose) => ({ purpose, isGranted: true }));
    expect((await ask(SET, { token, consents: both })).reason).toBe('RESUBSCRIPTION_REFUSED');
    expect(granted(await memberOf(id))['PROFILING']).toBe(false);
    // The page sends all its choices: those that are off stay off, and the rest is saved.
    const rest = both.map((consent) => ({ ...consent, isGranted: consent.purpose === 'PROFILING' }));
    expect(granted((await ask(SET, { token, consents: rest })).answer!)['PROFILING']).toBe(true);
  });

  test('withdraws everything in one call, also when thirty do so at once', async () => {
    const { token, id, message } = await recipient();
    const all = (isGranted: boolean) =>
      ['PRECISE_LOCATION', 'EMAIL_MARKETING', 'PROFILING'].map((purpose) => ({ purpose, isGranted }));
    expect(granted((await ask(SET, { token, consents: all(true) })).answer!)).toEqual(
      Object.fromEntries(all(true).map(({ purpose }) => [purpose, true])),
    );
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask(SET, { token, consents: all(false) })),
    );
    for (const { answer } of answers) expect(Object.values(granted(answer!))).toEqual([false, false, false]);
    expect(await eventsOf(ctx, message.id)).toHaveLength(1);
    await eventually(async () =>
      expect(Object.values(granted(await memberOf(id)))).toEqual([false, false, false]),
    );
  });
});

test('an address without a member has one choice, to unsubscribe', async () => {
  const { token, email } = await recipient({ isMember: false });
  expect(granted((await ask(READ, { token })).answer!)).toEqual({ EMAIL_MARKETING: true });
  const consents = ['EMAIL_MARKETING', 'PROFILING'].map((purpose) => ({ purpose, isGranted: false }));
  const { answer } = await ask(SET, { token, consents });
  expect([answer!.isUnsubscribed, granted(answer!)]).toEqual([true, { EMAIL_MARKETING: false }]);
  expect(await isUnsubscribed(email)).toBe(true);
});

describe('a link', () => {
  test('unsubscribes its address in its mode alone, and again to no effect', async () => {
    const { token, email, message } = await recipient();
    const other = await recipient();
    for (let time = 0; time < 2; time += 1) expect((await ask(UNSUBSCRIBE, { token })).answer).toBe(true);
    expect([await isUnsubscribed(email), await isUnsubscribed(other.email)]).toEqual([true, false]);
    expect(await eventsOf(ctx, message.id)).toHaveLength(1);
    const testing = contextOf(stack.services, { ...ctx.caller, mode: 'TEST' });
    const there = await sentMessage(testing, other.email);
    expect((await ask(UNSUBSCRIBE, { token: await tokenOf(testing, there) })).answer).toBe(true);
    expect(await isUnsubscribed(other.email)).toBe(false);
    expect((await ask(READ, { token: await tokenOf(testing, there) })).answer).toMatchObject({
      isUnsubscribed: true,
      consents: [{ purpose: 'EMAIL_MARKETING', isGranted: false }],
    });
  });

  test('works outside of a message and after its message is gone', async () => {
    const { token, email, message } = await recipient();
    await ctx.sql.query('DELETE FROM engagement.messages WHERE workspace_id = $1 AND id = $2', [
      owner.workspaceId,
      message.id,
    ]);
    expect((await ask(UNSUBSCRIBE, { token })).answer).toBe(true);
    expect(await isUnsubscribed(email)).toBe(true);
  });

  test('that is changed, or of another kind, is refused and changes nothing', async () => {
    const { token, email, message } = await recipient();
    const html = await trackedHtml(ctx, 'x', message.id, { isOpenTracked: true, isClickTracked: false });
    const open = /\/o\/([\w-]+)/.exec(html)![1]!;
    const consents = [{ purpose: 'EMAIL_MARKETING', isGranted: false }];
    for (const bad of ['', 'x', `${token}A`, `B${token.slice(1)}`, token.slice(0, -1), open, '🙂']) {
      for (const query of [READ, UNSUBSCRIBE, SET])
        expect([bad, (await ask(query, { token: bad, consents })).reason]).toEqual([bad, 'TOKEN_INVALID']);
    }
    expect(await isUnsubscribed(email)).toBe(false);
  });

  test('takes each purpose once and no other', async () => {
    const { token } = await recipient();
    const twice = [true, false].map((isGranted) => ({ purpose: 'PROFILING', isGranted }));
    expect((await ask(SET, { token, consents: twice })).reason).toBe('VALIDATION_FAILED');
    expect((await ask(SET, { token, consents: [{ purpose: 'SMS', isGranted: true }] })).answer).toBeNull();
    expect((await ask(SET, { token, consents: [] })).answer).toMatchObject({ isUnsubscribed: false });
  });
});
