import { beforeAll, describe, expect, test } from '@jest/globals';
import { linksFor, trackedHtml } from '@loyalty/engagement-subgraph/links/links.service';
import { eventsOf, sentMessage } from '@loyalty/engagement-subgraph/messages/messages.fixture';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf } from '@loyalty/test/harness/services';
import { useStack } from '@loyalty/test/harness/stack';

const stack = useStack();

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FORM = 'application/x-www-form-urlencoded';
const TARGET = 'https://shop.example/sale?a=1&b=%0d%0aset-cookie:x=1#top';

let ctx: Context;
let key: string;
beforeAll(async () => {
  const { token, workspaceId } = await stack.signUp('Ada Owner');
  ({ secret: key } = await stack.key(token));
  ctx = contextOf(stack.services, callerOf({ workspaceId }));
});

let people = 0;
async function sent() {
  people += 1;
  const address = `reader${people}@example.com`;
  const message = await sentMessage(ctx, address);
  const html = `<body><a href="${TARGET.replaceAll('&', '&amp;')}">x</a></body>`;
  const text = await trackedHtml(ctx, html, message.id, { isOpenTracked: true, isClickTracked: true });
  const pathOf = (pattern: RegExp) => new URL(pattern.exec(text)![1]!).pathname;
  const { headers } = await linksFor(ctx, message);
  const oneClick = new URL(headers['List-Unsubscribe']!.slice(1, -1)).pathname;
  return { address, message, click: pathOf(/href="([^"]+)"/), open: pathOf(/src="([^"]+)"/), oneClick };
}

const fetchPath = (path: string, init: RequestInit = {}) =>
  fetch(`${stack.url}${path}`, { redirect: 'manual', ...init });
const post = (path: string, body: string | FormData | null, type?: string) =>
  fetchPath(path, { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) });
const isUnsubscribed = async (address: string): Promise<boolean> =>
  (await stack.rest('GET', `/api/v2/members/unsubscribe?email=${address}`, { as: key })).body.data
    .unsubscribed;
const kindsOf = async (id: string) => (await eventsOf(ctx, id)).map(({ kind }) => kind);

describe('a click', () => {
  test('leads to its target at once, in one line of a header, and is counted', async () => {
    const { click, message } = await sent();
    const answer = await fetchPath(click);
    expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([
      302,
      TARGET,
      null,
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    await eventually(async () => expect(await eventsOf(ctx, message.id)).toHaveLength(1));
    expect(await eventsOf(ctx, message.id)).toEqual([{ kind: 'CLICKED', url: 'https://shop.example/sale' }]);
  });

  test('of a program that checks the link or loads it in advance is not counted', async () => {
    const { click, message } = await sent();
    expect((await fetchPath(click, { method: 'HEAD' })).status).toBe(302);
    for (const name of ['sec-purpose', 'purpose', 'x-purpose'])
      expect((await fetchPath(click, { headers: { [name]: 'prefetch' } })).status).toBe(302);
    await fetchPath(click);
    await eventually(async () => expect(await kindsOf(message.id)).toEqual(['CLICKED']));
  });

  test('does not wait for what is recorded of it', async () => {
    const { click, message } = await sent();
    await ctx.transaction(async (tx) => {
      await tx.sql.query('LOCK TABLE engagement.message_events');
      expect((await fetchPath(click)).status).toBe(302);
    });
    await eventually(async () => expect(await kindsOf(message.id)).toEqual(['CLICKED']));
  });

  test('on a changed, foreign or made-up link leads nowhere and says so', async () => {
    const { click, open, oneClick, message } = await sent();
    const token = click.split('/').at(-1)!;
    const other = Buffer.from('https://evil.example/').toString('base64url');
    const bad = [
      ...[
        '',
        'x',
        other,
        `${token}A`,
        token.slice(0, -1),
        `${token.slice(0, 60)}${other}${token.slice(-22)}`,
      ],
      ...[`https://evil.example/`, `//evil.example`, `..%2f..%2fevil`, `${token}%0d%0aset-cookie:%20x=1`],
      ...[open.split('/').at(-1)!.replace('.gif', ''), oneClick.split('/').at(-1)!, 'A'.repeat(9_000)],
    ];
    for (const each of bad) {
      const answer = await fetchPath(`/c/${each}`);
      expect([each, answer.status, answer.headers.get('location')]).toEqual([each, 400, null]);
      const text = await answer.text();
      expect(text).toContain('This link does not work');
      expect(text).not.toContain('evil');
    }
    const query = await fetchPath(`${click}?url=https://evil.example/`);
    expect(query.headers.get('location')).toBe(TARGET);
    await eventually(async () => expect(await kindsOf(message.id)).toEqual(['CLICKED']));
  });
});

describe('the image of a message', () => {
  test('is a GIF that nobody keeps, and counts an opening', async () => {
    const { open, message } = await sent();
    const answer = await fetchPath(open);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/gif',
      'no-store',
    ]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.length, bytes.toString('latin1', 0, 6)]).toEqual([43, 'GIF89a']);
    await eventually(async () => expect(await kindsOf(message.id)).toEqual(['OPENED']));
  });

  test('comes for a made-up token, too, and counts nothing', async () => {
    const { open, message, click } = await sent();
    for (const path of ['/o/x.gif', '/o/', `${open.slice(0, -5)}.gif`, click.replace('/c/', '/o/')]) {
      const answer = await fetchPath(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'image/gif']);
    }
    await fetchPath(open);
    await eventually(async () => expect(await kindsOf(message.id)).toEqual(['OPENED']));
  });

  test('may be loaded a thousand times from one address, but counts as often as a recipient can', async () => {
    const { open, message } = await sent();
    const statuses = new Set<number>();
    for (let part = 0; part < 20; part += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetchPath(open)));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
    // What is counted by address is not used up.
    expect((await stack.rest('GET', '/api/v2/members', {})).status).toBe(401);
    await eventually(async () => expect(await kindsOf(message.id)).toHaveLength(60));
  });
});

describe('unsubscribing by one click', () => {
  test('is done by the POST of RFC 8058, in both forms, and again to no effect', async () => {
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    for (const send of [
      (path: string) => post(path, ONE_CLICK, FORM),
      (path: string) => post(path, `${ONE_CLICK}&x=1`, `${FORM}; charset=utf-8`),
      (path: string) => post(path, form),
    ]) {
      const { address, message, oneClick } = await sent();
      for (let time = 0; time < 2; time += 1) expect((await send(oneClick)).status).toBe(200);
      expect(await isUnsubscribed(address)).toBe(true);
      expect(await kindsOf(message.id)).toEqual(['UNSUBSCRIBED']);
    }
  });

  test('thirty times at once is one event', async () => {
    const { address, message, oneClick } = await sent();
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(oneClick, ONE_CLICK, FORM)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await isUnsubscribed(address), await kindsOf(message.id)]).toEqual([true, ['UNSUBSCRIBED']]);
  });

  test('does not happen by following the link, which leads to the page with the button', async () => {
    const { address, oneClick } = await sent();
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetchPath(oneClick, { method });
      const page = `/unsubscribe#token=${oneClick.split('/').at(-1)}`;
      expect([answer.status, answer.headers.get('location')]).toEqual([303, page]);
    }
    expect(await isUnsubscribed(address)).toBe(false);
  });

  test('needs the body of RFC 8058 and a link of ours', async () => {
    const { address, oneClick, click } = await sent();
    for (const [body, type] of [
      [null, undefined],
      ['', FORM],
      ['List-Unsubscribe=No', FORM],
      ['{"List-Unsubscribe":"One-Click"}', 'application/json'],
      [ONE_CLICK, 'text/plain'],
    ] as const)
      expect([body, (await post(oneClick, body, type)).status]).toEqual([body, 400]);
    expect((await post(oneClick, `${ONE_CLICK}&${'x'.repeat(5_000)}`, FORM)).status).toBe(413);
    for (const bad of ['/u/', '/u/x', `${oneClick}A`, oneClick.slice(0, -1), click.replace('/c/', '/u/')]) {
      const answer = await post(bad, ONE_CLICK, FORM);
      expect([bad, answer.status]).toEqual([bad, 400]);
      expect(await answer.text()).toMatch(/token|link/);
      expect([bad, (await fetchPath(bad)).status]).toEqual([bad, 400]);
    }
    expect(await isUnsubscribed(address)).toBe(false);
  });

  test('of a test message says nothing of live mail', async () => {
    const testing = contextOf(stack.services, { ...ctx.caller, mode: 'TEST' });
    const message = await sentMessage(testing, 'both@example.com');
    const { headers } = await linksFor(testing, message);
    const { pathname } = new URL(headers['List-Unsubscribe']!.slice(1, -1));
    expect((await post(pathname, ONE_CLICK, FORM)).status).toBe(200);
    expect(await isUnsubscribed('both@example.com')).toBe(false);
    expect(await eventsOf(testing, message.id)).toEqual([{ kind: 'UNSUBSCRIBED', url: null }]);
  });
});
