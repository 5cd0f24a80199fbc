import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../harness/eventually.ts';
import { type UsedStack, useStack } from '../harness/stack.ts';
import { startBrowser } from './browser.ts';

const stack: UsedStack = useStack();
let browser: Browser;
let shop: Server;
let shopUrl: string;
let key: string;

beforeAll(async () => {
  browser = await startBrowser();
  // The website of another origin. Its address contains the attributes of its script tag.
  shop = createServer((request, response) => {
    const attributes = new URL(request.url!, 'http://shop').searchParams.get('with') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Shop</title><script src="${stack.url}/t.js" data-key="${key}" ${attributes}></script>`,
    );
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const { token } = await stack.signUp();
  await stack.enable(token, 'tracking');
  const { data } = await stack.graph<{ createPublishableKey: { secret: string } }>(
    'mutation ($input: CreatePublishableKeyInput!) { createPublishableKey(input: $input) { secret } }',
    { input: { name: 'shop', origins: [shopUrl] } },
    token,
  );
  key = data.createPublishableKey.secret;
});

afterAll(async () => {
  await browser?.close();
  shop?.close();
});

const stored = () =>
  stack.services.database.sql.query<{ event: string; anonymousId: string; properties: unknown }>(
    `SELECT event, anonymous_id, properties FROM engagement.tracking_events
      ORDER BY received_at, occurred_at`,
  );

const called = async (name: string) => (await stored()).find(({ event }) => event === name);

interface Visited {
  readonly page: Page;
  readonly sent: string[];
  close(): Promise<void>;
}

async function visit(attributes: string, init?: string): Promise<Visited> {
  const context = await browser.newContext();
  if (init) await context.addInitScript({ content: init });
  const page = await context.newPage();
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  await page.goto(`${shopUrl}/tea?with=${encodeURIComponent(attributes)}`);
  return { page, sent, close: () => context.close() };
}

const visitorIn = (page: Page): Promise<string | null> =>
  page.evaluate('localStorage.getItem("loyalty-visitor")');

test('without consent nothing is sent or stored; with it the waiting events are sent, and no cookie is set', async () => {
  const { page, sent, close } = await visit('data-page-view');
  await page.evaluate('loyalty.track("waiting", { itemId: "tea" })');
  await page.waitForTimeout(1_500);
  expect([sent, await visitorIn(page)]).toEqual([[], null]);
  await page.evaluate('loyalty.consent(true)');
  await eventually(async () => expect(await called('waiting')).toBeDefined());
  expect((await stored()).map(({ event, properties }) => [event, properties])).toEqual([
    ['page_view', { path: '/tea' }],
    ['waiting', { itemId: 'tea' }],
  ]);
  expect((await called('waiting'))!.anonymousId).toBe(await visitorIn(page));
  expect(await page.context().cookies()).toEqual([]);
  await page.evaluate('loyalty.consent(false); loyalty.track("after")');
  expect(await visitorIn(page)).toBeNull();
  await close();
  expect(await called('after')).toBeUndefined();
});

test('events of the last moment are sent when the visitor leaves the page, and the visitor stays the same', async () => {
  const { page, close } = await visit('data-consent="granted"');
  await page.evaluate('loyalty.track("leaving")');
  await page.goto('about:blank');
  await eventually(async () => expect(await called('leaving')).toBeDefined());
  await page.goto(`${shopUrl}/?with=${encodeURIComponent('data-consent="granted" data-page-view')}`);
  // The clock of the product stands still, so the events have one time and no order.
  const opened = async () =>
    (await stored()).find(({ properties }) => (properties as { path?: string }).path === '/');
  await eventually(async () => expect((await opened())?.event).toBe('page_view'));
  expect((await opened())!.anonymousId).toBe((await called('leaving'))!.anonymousId);
  await close();
});

test('a browser with Global Privacy Control sends nothing, whatever the website says', async () => {
  const refusing = 'Object.defineProperty(navigator, "globalPrivacyControl", { value: true })';
  const { page, sent, close } = await visit('data-consent="granted" data-page-view', refusing);
  await page.evaluate('loyalty.track("refused"); loyalty.consent(true)');
  await page.waitForTimeout(1_500);
  await page.goto('about:blank');
  expect(sent).toEqual([]);
  await close();
  expect(await called('refused')).toBeUndefined();
});
