import { describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { useStack } from '../harness/stack.ts';

const stack = useStack();

const OURS = { 'sec-fetch-site': 'same-origin' };
const FOREIGN = { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example.com' };
const ASKED = { 'x-loyalty-session': 'cookie' };

interface Answer {
  readonly status: number;
  readonly cookie: string;
  readonly attributes: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function session(method: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const response = await fetch(`${stack.url}/app/session`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const [attributes = ''] = response.headers.getSetCookie();
  const text = await response.text();
  return {
    status: response.status,
    attributes,
    cookie: attributes.split(';')[0]!,
    body: text === '' ? {} : JSON.parse(text),
  };
}

async function signIn(): Promise<{
  readonly cookie: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly password: string;
}> {
  const { email, password, workspaceId } = await stack.signUp();
  const { cookie } = await session('POST', OURS, { email, password });
  return { cookie, workspaceId, email, password };
}

async function viewer(headers: Record<string, string>) {
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ viewer { mode workspace { id } user { email } } }' }),
  });
  return (await response.json()) as { data?: { viewer: unknown } | null; errors?: unknown };
}

describe('the session of the back office', () => {
  test('is a cookie that no script can read, and is accepted only from pages of our own origin', async () => {
    const { email, password, workspaceId } = await stack.signUp();
    const { status, attributes, cookie, body } = await session('POST', OURS, { email, password });
    expect([status, Object.keys(body)]).toEqual([200, ['expiresAt']]);
    expect(attributes).toMatch(/^loyalty-user=[^;]+; Expires=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
    const { data } = await viewer({ cookie, ...OURS, ...ASKED });
    expect(data?.viewer).toEqual({ mode: 'LIVE', workspace: { id: workspaceId }, user: { email } });
  });

  test.each([
    ['a foreign page', { ...FOREIGN, ...ASKED }],
    ['a page of our own that does not ask for it', OURS],
    ['a program', ASKED],
  ])('is not accepted from %s', async (_, headers) => {
    const { cookie } = await signIn();
    const { data, errors } = await viewer({ cookie, ...headers });
    expect([data, JSON.stringify(errors)]).toEqual([undefined, expect.stringContaining('UNAUTHENTICATED')]);
  });

  test('cannot be opened, renewed or ended by a foreign page', async () => {
    const { cookie, email, password } = await signIn();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const body = method === 'POST' ? { email, password } : undefined;
      const answer = await session(method, { cookie, ...FOREIGN, ...ASKED }, body);
      expect([method, answer.status, answer.attributes]).toEqual([method, 403, '']);
    }
    expect((await viewer({ cookie, ...OURS, ...ASKED })).errors).toBeUndefined();
  });

  test('is a new one after each sign-in, so that a cookie planted before gives no access', async () => {
    const [attacker, { email, password }] = [await signIn(), await stack.signUp()];
    const { cookie } = await session('POST', { ...OURS, cookie: attacker.cookie }, { email, password });
    expect(cookie).not.toBe(attacker.cookie);
    const { data } = await viewer({ cookie: attacker.cookie, ...OURS, ...ASKED });
    expect(data?.viewer).toMatchObject({ user: { email: attacker.email } });
  });

  test('that was stolen is refused after signing out, and so is the session that replaced it', async () => {
    const { cookie } = await signIn();
    const renewed = await session('PUT', { cookie, ...OURS, ...ASKED });
    expect(renewed.status).toBe(200);
    const ended = await session('DELETE', { cookie: renewed.cookie, ...OURS, ...ASKED });
    expect([ended.status, ended.attributes]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    for (const stolen of [cookie, renewed.cookie])
      expect(JSON.stringify((await viewer({ cookie: stolen, ...OURS, ...ASKED })).errors)).toContain(
        'CREDENTIAL_INVALID',
      );
    // A caller without a session may still sign out.
    expect((await session('DELETE', { cookie, ...OURS, ...ASKED })).status).toBe(204);
  });

  test("is in another mode or workspace when a header asks for it, but never in another person's workspace", async () => {
    const [{ cookie, workspaceId }, other] = [await signIn(), await signIn()];
    const asked = { cookie, ...OURS, ...ASKED };
    const there = { ...asked, 'x-loyalty-mode': 'test', 'x-loyalty-workspace': workspaceId };
    expect((await viewer(there)).data?.viewer).toMatchObject({
      mode: 'TEST',
      workspace: { id: workspaceId },
    });
    for (const id of [other.workspaceId, 'x'])
      expect(JSON.stringify((await viewer({ ...asked, 'x-loyalty-workspace': id })).errors)).toContain(
        'CREDENTIAL_INVALID',
      );
  });

  test.each([
    ['a wrong password', { password: 'wrong password' }, 401, 'CREDENTIAL_INVALID', 'password'],
    ['no address', { email: '' }, 400, 'VALIDATION_FAILED', 'input.email'],
    ['a number', { email: 5 }, 400, 'VALIDATION_FAILED', 'input.email'],
    ['a field that is not there', { remember: true }, 400, 'VALIDATION_FAILED', 'remember'],
  ])('is not opened for %s', async (_, change, status, code, word) => {
    const { email, password } = await stack.signUp();
    const answer = await session('POST', OURS, { email, password, ...change });
    expect([answer.status, answer.body['code'], answer.attributes]).toEqual([status, code, '']);
    expect(answer.body['error']).toContain(word);
  });
});

describe('a socket', () => {
  const open = (headers: Record<string, string>) =>
    createClient({
      url: `${stack.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: new Proxy(WebSocket, {
        construct: (Socket, [url, protocols]: [string, string[]]) => new Socket(url, protocols, { headers }),
      }),
      connectionParams: ASKED,
      retryAttempts: 0,
    });

  async function who(headers: Record<string, string>): Promise<unknown> {
    const client = open(headers);
    try {
      const results = client.iterate({ query: '{ viewer { user { email } } }' });
      const { value } = await results.next();
      return value?.data ?? JSON.stringify(value?.errors);
    } catch (error) {
      return JSON.stringify(error);
    } finally {
      await client.dispose();
    }
  }

  test('of our own page has the session of the cookie, a socket of a foreign page has none', async () => {
    const { cookie, email } = await signIn();
    expect(await who({ cookie, origin: stack.url })).toEqual({ viewer: { user: { email } } });
    expect(await who({ cookie, origin: 'https://shop.example.com' })).toContain('UNAUTHENTICATED');
    expect(await who({ cookie, ...FOREIGN, origin: stack.url })).toContain('UNAUTHENTICATED');
  });
});
