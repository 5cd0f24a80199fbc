import { expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';

const stack = useStack();

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${stack.url}${path}`, { headers, redirect: 'manual' });
const nonceIn = (text: string): string | undefined => /nonce[-=]"?([^'" ]+)/.exec(text)?.[1];

test.each(['/', '/app'])('%s leads to the back office', async (path) => {
  const { status, headers } = await open(path);
  expect([status, headers.get('location')]).toEqual([302, '/app/']);
});

test.each(['/app/', '/app/members/1?search=x'])(
  'the page at %s allows its own scripts and styles alone, by a nonce that is never the same',
  async (path) => {
    const pages = await Promise.all([open(path), open(path)]);
    const nonces = await Promise.all(
      pages.map(async (page) => {
        expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
        const policy = page.headers.get('content-security-policy')!;
        expect(policy).not.toMatch(/unsafe|https?:|\*/);
        const nonce = nonceIn(policy)!;
        const html = await page.text();
        expect(html).not.toMatch(/CSP_NONCE|SESSION_STATE/);
        const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => nonceIn(tag));
        expect(new Set(scripts)).toEqual(new Set([nonce]));
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  },
);

test('the page states whether its browser has a session, so that it sends no needless request', async () => {
  const state = async (headers: Record<string, string>) =>
    /name="loyalty-session" content="(\w+)"/.exec(await (await open('/app/', headers)).text())?.[1];
  expect(await state({})).toBe('none');
  expect(await state({ cookie: 'loyalty-user=x' })).toBe('open');
});

test.each([
  ['/app/', 'home.screen'],
  ['/app/members?search=x', 'members.screen'],
  ['/app/members/1', 'member.screen'],
  ['/app/members/1/points', 'member-points.screen'],
])('for a signed-in user the page %s preloads its files', async (path, screen) => {
  const cookie = 'loyalty-user=x';
  const linksOf = (html: string) => [
    ...html.matchAll(/<link rel="(?:module)?preload"[^>]* href="([^"]+)">/g),
  ];
  const files = linksOf(await (await open(path, { cookie })).text()).map(([, file]) => file!);
  expect(files[0]).toMatch(new RegExp(`^/app/assets/${screen}-[^/]+\\.js$`));
  for (const file of files) expect([file, (await open(file)).status]).toEqual([file, 200]);
  expect(linksOf(await (await open(path)).text())).toEqual([]);
  expect(linksOf(await (await open('/app/nowhere', { cookie })).text())).toEqual([]);
});

test('its files are compressed, and may be cached for a year', async () => {
  const html = await (await open('/app/')).text();
  const files = [...html.matchAll(/\/app\/assets\/[^"]+/g)].map(([path]) => path);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const { status, headers } = await open(file, { 'accept-encoding': 'br' });
    expect([file, status, headers.get('content-encoding')]).toEqual([file, 200, 'br']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test.each(['/app/assets/nothing.js', '/app/assets/..%2f..%2fpackage.json', '/app/assets/'])(
  'there is no %s',
  async (path) => {
    expect((await open(path)).status).toBe(404);
  },
);
