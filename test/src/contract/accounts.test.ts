import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { expectError, shapes } from './shapes.ts';

const stack = useStack();

const post = (path: string, body: object, as?: string) =>
  stack.rest('POST', `/api/v2/auth${path}`, { body, as: as ?? null });
let people = 0;
const account = () => {
  people += 1;
  return {
    email: `person${people}@example.com`,
    password: `a long password ${people}`,
    name: `Person ${people}`,
  };
};
const signIn = async ({ email, password }: { email: string; password: string }): Promise<string> =>
  (await post('/login', { email, password })).body.token;

describe('accounts', () => {
  test('register answers 201, login 200 with a JWT, profile shows the account and its team', async () => {
    const person = account();
    const registered = await post('/register', person);
    expect(registered).toMatchObject({
      status: 201,
      body: { id: shapes.uuid, email: person.email, name: person.name, created_at: shapes.instant },
    });
    const login = await post('/login', { email: person.email.toUpperCase(), password: person.password });
    expect(login).toMatchObject({
      status: 200,
      body: { token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/) },
    });
    const profile = await stack.rest('GET', '/api/v2/auth/profile', { as: login.body.token });
    expect(profile).toMatchObject({
      status: 200,
      body: {
        id: registered.body.id,
        email: person.email,
        name: person.name,
        avatar_url: null,
        created_at: shapes.instant,
        teams: [{ id: shapes.uuid, name: expect.any(String), role: 'owner' }],
      },
    });
  });

  test.each([
    [{ password: 'long enough password', name: 'x' }, 'email is required'],
    [{ email: 'x', password: 'long enough password', name: 'x' }, /^email must be an e-mail/],
    [{ email: 'x@example.com', password: 'short', name: 'x' }, /^password must/],
    [{ email: 'x@example.com', password: 'long enough password' }, 'name is required'],
    [{ email: 'x@example.com', password: 'long enough password', name: '  ' }, /^name must not be empty/],
  ])('register with %j is 400 and names the field', async (body, sentence) => {
    const reply = await post('/register', body);
    expectError(reply, 400, reply.headers.get('x-error-code') ?? '', sentence);
  });

  test('an address registers once', async () => {
    const person = account();
    await post('/register', person);
    expectError(await post('/register', person), 409, 'ACCOUNT_EXISTS', /./);
  });

  test('a wrong password and an unknown address answer alike: 401', async () => {
    const person = account();
    await post('/register', person);
    const wrong = await post('/login', { email: person.email, password: 'not the password' });
    const unknown = await post('/login', { email: 'nobody@example.com', password: 'not the password' });
    expectError(wrong, 401, 'CREDENTIAL_INVALID', /./);
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('PATCH profile changes name and picture', async () => {
    const person = account();
    await post('/register', person);
    const as = await signIn(person);
    const body = { name: 'Renamed', avatar_url: 'https://example.com/me.png' };
    expect(await stack.rest('PATCH', '/api/v2/auth/profile', { as, body })).toMatchObject({
      status: 200,
      body: { ...body, email: person.email },
    });
    expectError(
      await stack.rest('PATCH', '/api/v2/auth/profile', { as, body: { avatar_url: 'me' } }),
      400,
      'VALIDATION_FAILED',
      /^avatar_url must be an absolute URL/,
    );
  });

  test('change-password needs the current one and ends other sessions', async () => {
    const person = account();
    await post('/register', person);
    const [here, elsewhere] = [await signIn(person), await signIn(person)];
    const refused = await post(
      '/change-password',
      { current_password: 'wrong wrong wrong', new_password: 'another long one' },
      here,
    );
    expectError(refused, 400, 'PASSWORD_WRONG', /^current_password is not the current password/);
    expect(
      (
        await post(
          '/change-password',
          { current_password: person.password, new_password: 'another long one' },
          here,
        )
      ).status,
    ).toBe(200);
    await eventually(async () =>
      expect((await stack.rest('GET', '/api/v2/auth/profile', { as: elsewhere })).status).toBe(401),
    );
    expect((await post('/login', { email: person.email, password: 'another long one' })).status).toBe(200);
  });

  test('a forgotten password is reset through the mailed token, once', async () => {
    await stack.work();
    const person = account();
    await post('/register', person);
    const known = await post('/forgot-password', { email: person.email });
    const unknown = await post('/forgot-password', { email: 'nobody@example.com' });
    expect([known.status, unknown.status, unknown.body]).toEqual([200, 200, known.body]);
    const token = await eventually(() => mailedToken(person.email));
    expect((await post('/reset-password', { token, new_password: 'a fresh password' })).status).toBe(200);
    expect(
      (await post('/reset-password', { token, new_password: 'yet another one' })).status,
    ).toBeGreaterThanOrEqual(400);
    expect((await post('/login', { email: person.email, password: 'a fresh password' })).status).toBe(200);
  });
});

/** The token in the newest message to an address. */
async function mailedToken(address: string): Promise<string> {
  const directory = join(stack.services.config.dataDir, 'mail');
  for (const file of (await readdir(directory)).sort().reverse()) {
    const text = (await readFile(join(directory, file), 'utf8'))
      .replaceAll('=\r\n', '')
      .replaceAll('=3D', '=');
    const [, token] = text.includes(address) ? (/token=([\w-]+)/.exec(text) ?? []) : [];
    if (token) return token;
  }
  throw new Error('no message yet');
}

describe('API keys', () => {
  test('POST shows the key once, GET lists it without, DELETE ends it everywhere', async () => {
    const { token } = await stack.signUp();
    const created = await stack.rest('POST', '/api/v2/api-keys', {
      as: token,
      body: { name: 'till', scopes: ['members:read'] },
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: shapes.uuid,
      key: expect.stringMatching(/^lk_live_[0-9A-Za-z]{38}$/),
      name: 'till',
      scopes: ['members:read'],
    });
    const listed = await stack.rest('GET', '/api/v2/api-keys', { as: token });
    expect(listed.body).toEqual({
      keys: [
        {
          kind: 'secret',
          id: created.body.id,
          name: 'till',
          prefix: expect.stringMatching(/^lk_live_/),
          scopes: ['members:read'],
          created_at: shapes.instant,
        },
      ],
    });
    expect(JSON.stringify(listed.body)).not.toContain(created.body.key);

    const as = created.body.key;
    expect((await stack.rest('GET', '/api/v2/members', { as })).status).toBe(200);
    expect((await stack.rest('GET', '/api/v2/members', { headers: { 'x-api-key': as } })).status).toBe(200);
    expect((await stack.rest('DELETE', `/api/v2/api-keys/${created.body.id}`, { as: token })).status).toBe(
      200,
    );
    await eventually(async () =>
      expect((await stack.rest('GET', '/api/v2/members', { as })).status).toBe(401),
    );
    expectError(
      await stack.rest('DELETE', `/api/v2/api-keys/${created.body.id}`, { as: token }),
      404,
      'API_KEY_NOT_FOUND',
      created.body.id,
    );
    expect((await stack.rest('GET', '/api/v2/api-keys', { as: token })).body).toEqual({ keys: [] });
  });

  test.each([
    [{ scopes: ['members:read'] }, 'name is required'],
    [{ name: 'x' }, 'scopes is required'],
    [{ name: 'x', scopes: [] }, /^scopes must/],
    [{ name: 'x', scopes: ['members:fly'] }, /^scopes/],
    [{ name: 'x', scopes: 'members:read' }, 'scopes must be an array'],
    [{ name: 'x', scopes: ['predictions:read'] }, /^scopes/],
  ])('POST with %j is 400', async (body, sentence) => {
    const { token } = await stack.signUp();
    const reply = await stack.rest('POST', '/api/v2/api-keys', { as: token, body });
    expectError(reply, 400, reply.headers.get('x-error-code') ?? '', sentence);
  });

  test('the read-only preset holds every read scope', async () => {
    const { token } = await stack.signUp();
    const { body } = await stack.rest('POST', '/api/v2/api-keys', {
      as: token,
      body: { name: 'reader', scopes: ['preset:read_only'] },
    });
    expect(body.scopes.length).toBeGreaterThan(5);
    expect(body.scopes.every((scope: string) => scope.endsWith(':read'))).toBe(true);
  });

  test.each([
    ['no credential', {}, 'CREDENTIAL_MISSING'],
    ['an unknown key', { authorization: `Bearer lk_live_${'x'.repeat(38)}` }, 'CREDENTIAL_INVALID'],
    ['another scheme', { authorization: 'Basic eDp5' }, 'CREDENTIAL_INVALID'],
    ['a token that is none', { authorization: 'Bearer a.b.c' }, 'CREDENTIAL_INVALID'],
  ])('%s is 401 with WWW-Authenticate', async (_, headers, code) => {
    const reply = await stack.rest('GET', '/api/v2/members', { headers });
    expectError(reply, 401, code, /./);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('a known key without the scope is 403 and says which scope', async () => {
    const { token } = await stack.signUp();
    const { secret } = await stack.key(token, ['objects:read']);
    expectError(
      await stack.rest('GET', '/api/v2/members', { as: secret }),
      403,
      'SCOPE_MISSING',
      'members:read',
    );
    expectError(
      await stack.rest('POST', '/api/v2/members', { as: secret, body: { email: 'a@b.co' } }),
      403,
      'SCOPE_MISSING',
      'members:write',
    );
  });

  test('answers carry the rate limit', async () => {
    const { token } = await stack.signUp();
    const { headers } = await stack.rest('GET', '/api/v2/api-keys', { as: token });
    expect(headers.get('ratelimit')).toMatch(/r=\d+/);
    expect(headers.get('ratelimit-policy')).toMatch(/q=6000/);
  });
});
