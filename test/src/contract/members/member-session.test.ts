import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RestReply } from '../../harness/client.ts';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';
import { consentToLocation, locationWorkspace } from './location.fixture.ts';
import { enrol } from './members.fixture.ts';

const stack = useStack();
let workspace: Awaited<ReturnType<typeof locationWorkspace>>;
let form: string;

const SESSION = '/api/member/session';
const NEARBY = '/api/v2/lbs/nearby-stores';
const here = { lat: 41.1409, lng: -8.6132 };
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

beforeAll(async () => {
  workspace = await locationWorkspace(stack);
  const { data } = await stack.graph<{ createEnrollmentForm: { token: string } }>(
    'mutation { createEnrollmentForm(input: { name: "Web", source: WEB }) { token } }',
    {},
    workspace.token,
  );
  form = data.createEnrollmentForm.token;
  await stack.work();
});

const post = (body: unknown, headers: Record<string, string> = {}): Promise<RestReply> =>
  stack.rest('POST', SESSION, { body, headers });

/** The text of the e-mail that a member received. */
async function mailTo(email: string): Promise<string> {
  const directory = join(stack.services.config.dataDir, 'mail');
  return eventually(async () => {
    const names = (await readdir(directory)).sort().toReversed();
    for (const name of names) {
      const mail = (await readFile(join(directory, name), 'utf8'))
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      if (mail.toLowerCase().includes(`to: ${email}`)) return mail;
    }
    throw new Error(`No mail to ${email} yet.`);
  });
}

/** A member who consented to the use of the location and received the sign-in e-mail. */
async function mailed() {
  const { id, email } = await enrol(stack, workspace.key);
  await consentToLocation(stack, workspace.key, id, true);
  const { status, body } = await post({ email, form });
  expect({ status, body }).toEqual({
    status: 200,
    body: { id: expect.stringMatching(/^[\w-]{43}$/), expires_at: shapes.instant },
  });
  const mail = await mailTo(email);
  const code = /^(\d{6})\s*$/m.exec(mail)?.[1] ?? '';
  const token = /#token=([\w-]+)/.exec(mail)?.[1] ?? '';
  return { id: id as string, signIn: body.id as string, code, token };
}

const cookieOf = ({ headers }: RestReply): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const nearby = (headers: Record<string, string>) => stack.rest('POST', NEARBY, { body: here, headers });

test('a code signs a member in, whose token opens the location endpoints', async () => {
  const { id, signIn, code } = await mailed();
  const reply = await post({ id: signIn, code });
  expect({ status: reply.status, body: reply.body }).toEqual({
    status: 200,
    body: { token: expect.any(String), expires_at: shapes.instant },
  });
  // A client that is not a page of our own origin gets no cookie.
  expect(reply.headers.get('set-cookie')).toBeNull();
  const { body } = await stack.rest('POST', NEARBY, { as: reply.body.token, body: here });
  expect(body.geofences).toHaveLength(2);
  const { data } = await stack.graph<{ member: { id: string } }>(
    'query ($id: ID!) { member(id: $id) { id } }',
    { id },
    workspace.key,
  );
  expect(data.member.id).toBe(id);
  expectError(await post({ id: signIn, code }), 400, 'CODE_INVALID', 'code is wrong, was used');
});

test('a link signs a member in, too, once', async () => {
  const { token } = await mailed();
  expect((await post({ token })).status).toBe(200);
  expectError(await post({ token }), 400, 'TOKEN_INVALID', 'token was used');
});

test('the page of the link keeps the session in a cookie, and shows it to no script', async () => {
  const { token } = await mailed();
  const reply = await stack.rest('POST', '/pages/sign-in', { body: { token }, headers: OWN_PAGE });
  expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: { answer: true } });
  const { body } = await nearby({ cookie: cookieOf(reply), ...OWN_PAGE });
  expect(body.geofences).toHaveLength(2);
  const again = await stack.rest('POST', '/pages/sign-in', { body: { token }, headers: OWN_PAGE });
  expect([again.status, again.headers.get('set-cookie')]).toEqual([400, null]);
});

test('input that does not fit is refused by the name of the field', async () => {
  expectError(await post({ form }), 400, 'VALIDATION_FAILED', 'email is required');
  expectError(await post({ email: 'x', form }), 400, 'VALIDATION_FAILED', 'email must be an e-mail');
  expectError(await post({ email: 'a@example.com' }), 400, 'VALIDATION_FAILED', 'form is required');
  expectError(await post({ email: 'a@example.com', form: 'x' }), 404, 'ENROLLMENT_FORM_NOT_FOUND', 'form');
  expectError(await post({ id: 'x' }), 400, 'VALIDATION_FAILED', 'code is required');
  expectError(await post({ id: 'x', code: '000000' }), 400, 'CODE_INVALID', 'code is wrong');
});

describe('the cookie of a browser', () => {
  const signIn = async () => {
    const { signIn: id, code } = await mailed();
    const reply = await post({ id, code }, OWN_PAGE);
    return { reply, cookie: cookieOf(reply) };
  };

  test('is out of reach of scripts and other sites, and lasts as long as the session', async () => {
    const { reply } = await signIn();
    const set = reply.headers.get('set-cookie')!;
    expect(set).toMatch(/^loyalty-member=[^;]+; Expires=[^;]+ GMT; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(Date.parse(/Expires=([^;]+)/.exec(set)![1]!)).toBe(Date.parse(reply.body.expires_at));
  });

  test('counts for pages of our own origin only', async () => {
    const { cookie } = await signIn();
    expect((await nearby({ cookie, ...OWN_PAGE })).body.geofences).toHaveLength(2);
    expect((await nearby({ cookie, origin: stack.url })).status).toBe(200);
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: stack.url },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[])
      expectError(await nearby({ cookie, ...headers }), 401, 'CREDENTIAL_MISSING', 'Send an API key');
  });

  test('is ignored beside a credential in a header, and is refused with another kind of credential in it', async () => {
    const { cookie } = await signIn();
    const withKey = await nearby({ cookie, ...OWN_PAGE, 'x-api-key': workspace.key });
    expectError(withKey, 401, 'MEMBER_SESSION_REQUIRED', 'API key');
    for (const secret of [workspace.key, workspace.token]) {
      const reply = await stack.graph('{ members { nodes { id } } }', {}, null, {
        ...OWN_PAGE,
        cookie: `loyalty-member=${secret}`,
      });
      expect(reply.errors?.[0]?.extensions['reason']).toBe('CREDENTIAL_MISSING');
    }
  });

  test('is deleted by signing out, which ends the session; the same browser can sign in again', async () => {
    const { cookie } = await signIn();
    const headers = { cookie, ...OWN_PAGE };
    const reply = await stack.rest('DELETE', SESSION, { headers });
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 200,
      body: { signed_out: true },
    });
    expect(reply.headers.get('set-cookie')).toMatch(/^loyalty-member=; Max-Age=0; Path=\/; HttpOnly/);
    expectError(await nearby(headers), 401, 'CREDENTIAL_MISSING', 'Send an API key');
    expectError(await stack.rest('DELETE', SESSION, { headers }), 401, 'CREDENTIAL_MISSING', 'Send');
    const { signIn: id, code } = await mailed();
    expect((await post({ id, code }, headers)).status).toBe(200);
  });
});
