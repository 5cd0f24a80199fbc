import { describe, expect, test } from '@jest/globals';
import {
  codePage,
  confirmationPage,
  formPage,
  signInPage,
} from '@loyalty/loyalty-subgraph/enrollment-forms/enrollment-forms.service';
import { useStack } from '@loyalty/test/harness/stack';
import { linkTo } from '@loyalty/workspace-subgraph/accounts/one-time-token';
import { parse, validate, visit } from 'graphql';
import { actions } from './actions.ts';
import { textsFor } from './texts.ts';

const stack = useStack();

const addresses = [
  ...['/enrol/some-token', '/enrol/some-token?ref=BADE', '/enrol?ref=BADE', '/wallet?payment=done'],
  ...['/confirm-enrollment', '/confirm-email', '/reset-password', '/invitation', '/unsubscribe'],
  '/sign-in',
  '/preferences',
];
const read = async (address: string, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(address, stack.url), { headers });
  return { response, text: await response.text() };
};
/** What a page loads; a link that a person may follow is none of it. */
const assetsOf = (text: string) =>
  [...text.replaceAll(/<a [^>]*>/g, '').matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
const post = (action: string, body: unknown, headers: Record<string, string> = {}) =>
  stack.rest('POST', `/pages/${action}`, { body, headers });

test('every link that a mail or a code holds leads to a page', async () => {
  const { config } = stack.services;
  const links = [
    ...[linkTo(config, 'reset-password', 't'), linkTo(config, 'invitation', 't')],
    ...[formPage(config, 't'), formPage(config, 't', 'BADE'), codePage(config, 'BADE')],
    confirmationPage(config, 't'),
    signInPage(config, 't'),
  ];
  for (const link of links) {
    const { pathname, search, hash } = new URL(link);
    expect([link, (await read(pathname + search)).response.status]).toEqual([link, 200]);
    // A token in the query would be in logs, in the history and with the next page.
    expect([link, search.includes('token'), hash === '' || hash.startsWith('#token=')]).toEqual([
      link,
      false,
      true,
    ]);
  }
});

describe.each(addresses)('%s', (address) => {
  test('is kept by nobody, framed by nobody, and loads one script and one style of ours at most', async () => {
    const { response, text } = await read(address);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; " +
        "frame-ancestors 'none'; base-uri 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      vary: expect.stringContaining('Accept-Language'),
    });
    const assets = assetsOf(text);
    expect(assets.filter((asset) => /^\/pages\/page\.css\?v=/.test(asset))).toHaveLength(1);
    expect(assets.filter((asset) => !/^\/pages\/page\.(css|js)\?v=/.test(asset))).toEqual([]);
    expect(text).not.toMatch(/<style|style="|<script(?! type="module" src=)|\son\w+=|https?:\/\//);
    for (const asset of assets) {
      const { response: loaded } = await read(asset);
      expect([asset, loaded.status, loaded.headers.get('cache-control')]).toEqual([
        asset,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  test('speaks the language that is asked for', async () => {
    const languageOf = async (wanted: string) =>
      /<html lang="(\w+)"/.exec((await read(address, { 'accept-language': wanted })).text)?.[1];
    expect(await languageOf('pt-PT,pt;q=0.9,en;q=0.8')).toBe('pt');
    expect(await languageOf('de-DE,de;q=0.9')).toBe('en');
  });
});

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['pt', 'pt'],
  ['en;q=0.2, pt-BR;q=0.7', 'pt'],
  ['pt;q=0, en', 'en'],
  ['*', 'en'],
  [';;q=x,,pt', 'pt'],
])('of Accept-Language %j the language is %s', (wanted, language) => {
  expect(textsFor(wanted).language).toBe(language);
});

test('both languages say everything, and name what is filled in alike', () => {
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
      : (String(value).match(/\{\w+\}/g) ?? []);
  const [english, portuguese] = [textsFor('en'), textsFor('pt')];
  expect(shape(portuguese)).toEqual(shape(english));
});

test('what a page asks of the graph is an operation of the graph', async () => {
  const { createGateway } = await import('@loyalty/gateway/gateway');
  const { localTransports } = await import('@loyalty/cli/subgraphs');
  const gateway = await createGateway(stack.services, localTransports(stack.services));
  const { schema } = gateway.graph.supergraph;
  const hasConfirmEmail = 'confirmEmail' in schema.getMutationType()!.getFields();
  expect(Object.keys(actions)).not.toHaveLength(0);
  for (const [action, text] of Object.entries(actions)) {
    const faults = validate(schema, parse(text)).map(({ message }) => message);
    const isAway = action === 'confirm-email' && !hasConfirmEmail;
    expect([action, faults]).toEqual([action, isAway ? [expect.stringContaining('confirmEmail')] : []]);
  }
  await gateway.close();
});

describe('an action', () => {
  test('that does not fit is refused with its code and field, and nothing of how we are built', async () => {
    const bad = await post('reset-password', { token: 'x', newPassword: 'a long enough password' });
    expect([bad.status, bad.headers.get('cache-control'), bad.body]).toEqual([
      400,
      'no-store',
      { error: { code: 'TOKEN_INVALID', field: 'input.token' } },
    ]);
    expect((await post('confirm-enrollment', {})).status).toBe(400);
    for (const body of ['[]', '"x"', 'null', '{"token":{}}', '{"token":null}'])
      expect([body, (await post('unsubscribe', body)).status]).toEqual([body, 400]);
    expect((await post('unsubscribe', '{')).status).toBe(400);
    expect((await post('unsubscribe', { token: 'x'.repeat(17_000) })).status).toBe(413);
  });

  test('is one of those that there are, by JSON alone', async () => {
    for (const action of ['login', '__proto__', 'toString'])
      expect([action, (await post(action, {})).status]).toEqual([action, 404]);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await post('unsubscribe', 'token=x', form);
    expect([reply.status, reply.body]).toEqual([400, { error: { code: 'MEDIA_TYPE_UNSUPPORTED' } }]);
  });

  test('hands out no session that it opens', () => {
    const selected = Object.values(actions).flatMap((text) => {
      const names: string[] = [];
      visit(parse(text), { Field: ({ name }) => void names.push(name.value) });
      return names;
    });
    expect(selected).toContain('acceptInvitation');
    // The token of a member's session goes into a cookie: the answer is `true`.
    const ofMember = ['completeMemberSignInByToken', 'token'];
    expect(selected.filter((name) => /token|secret|session/i.test(name))).toEqual([
      ...ofMember,
      'unsubscribeByToken',
      'setPreferencesByToken',
    ]);
  });
});
