import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendPushJob } from '@loyalty/engagement-subgraph/push/push.jobs';
import { newBrowser, startPushService } from '@loyalty/engagement-subgraph/push/push-service.fixture';
import { systemCaller } from '@loyalty/platform/base/caller';
import { createHttpClient } from '@loyalty/platform/outbound/http-client';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { eventually } from '../harness/eventually.ts';
import { publishedEvents } from '../harness/published-events.ts';
import { contextOf } from '../harness/services.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { startBrowser } from './browser.ts';

let service: Awaited<ReturnType<typeof startPushService>>;
let stack: Stack;
let browser: Browser;
let shop: { readonly url: string; close(): void };
beforeAll(async () => {
  service = await startPushService();
  stack = await createStack(undefined, { OUTBOUND_ALLOW: [service.host] });
  shop = await startShop(stack.url);
  browser = await startBrowser({ hasNotifications: true });
});
afterAll(async () => {
  await browser?.close();
  shop?.close();
  await stack?.close();
  await service?.close();
});

/** Starts the website of a shop that uses the service worker of the product. */
async function startShop(product: string) {
  const server = createServer((request, response) => {
    const isScript = request.url === '/sw.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? `importScripts('${product}/push-sw.js');` : '<title>Shop</title>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** Registers a member's browser over REST, with encryption keys of its own. */
async function registered() {
  const { token, workspaceId } = await stack.signUp();
  await stack.enable(token, 'web_push');
  const act = async (mutation: string) => {
    const { data, errors } = await stack.graph<{ act: Record<string, string> }>(
      `mutation { act: ${mutation} }`,
      {},
      token,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.act;
  };
  const { id } = await act('createMember(input: {email: "ada@example.com"}) { id }');
  const { token: session } = await act(`startMemberSession(memberId: "${id}") { token }`);
  const state = await stack.rest('GET', '/api/member/web-push', { as: session! });
  expect(state.body).toEqual({ data: { enabled: true, publicKey: expect.stringMatching(/^[\w-]{87}$/) } });
  const subscriber = newBrowser();
  const body = { endpoint: `${service.url}/ada`, keys: subscriber.keys };
  const reply = await stack.rest('POST', '/api/member/web-push', { as: session!, body });
  expect([reply.status, reply.body]).toEqual([200, { data: { ok: true } }]);
  return { memberId: id!, session: session!, workspaceId, subscriber, act };
}

/** Sends the waiting notifications, as the worker does. */
async function work(workspaceId: string): Promise<void> {
  const http = createHttpClient({ allow: [service.host] });
  const caller = systemCaller('test', { workspaceId, mode: 'LIVE' });
  const ctx = contextOf({ ...stack.services, http }, caller);
  for (const data of await publishedEvents(ctx, 'engagement.push_requested'))
    await sendPushJob.run(ctx, data);
  await http.close();
}

/**
 * Opens the page of the shop with its service worker. `deliver` passes a message to it, as a push service
 * would.
 */
async function openShop(): Promise<{ page: Page; deliver(data: string): Promise<void> }> {
  const context = await browser.newContext();
  await context.grantPermissions(['notifications'], { origin: shop.url });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const id = activated(cdp);
  await cdp.send('ServiceWorker.enable');
  await page.goto(shop.url);
  await page.evaluate(`navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)
    .then(() => undefined)`);
  const registrationId = await id;
  const deliver = async (data: string) => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: shop.url, registrationId, data });
  };
  return { page, deliver };
}

/** Resolves with the registration of the worker when it is active. Before that the browser drops messages. */
const activated = (cdp: CDPSession): Promise<string> =>
  new Promise((resolve) => {
    cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const found = versions.find(({ status }) => status === 'activated');
      if (found) resolve(found.registrationId);
    });
  });

/** The notifications that the page shows; rejects if the browser does not report them in time. */
const shown = (page: Page): Promise<{ title: string; body: string; tag: string }[]> =>
  page.evaluate(`Promise.race([
    navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
      .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag }))),
    new Promise((_, reject) => setTimeout(reject, 10_000, new Error('no answer')))])`);

/** Delivers a message until the page shows the expected notification, because the browser may drop one. */
const deliverUntil = (
  { page, deliver }: Awaited<ReturnType<typeof openShop>>,
  data: string,
  check: (all: Awaited<ReturnType<typeof shown>>) => void,
): Promise<void> =>
  eventually(async () => {
    await deliver(data);
    await eventually(async () => check(await shown(page)), 10_000);
  });

test('a notification that is sent to a member is shown by the browser that registered', async () => {
  const { memberId, session, workspaceId, subscriber, act } = await registered();
  expect(await act(`sendTestPush(memberId: "${memberId}") { browsers }`)).toEqual({ browsers: 1 });
  await work(workspaceId);
  const [push] = service.pushes;
  expect(push!.path).toBe('/ada');
  const opened = await openShop();
  const expected = { title: 'Test notification', body: 'Web push works.', tag: 'test' };
  const read = JSON.stringify(subscriber.read(push!.body));
  await deliverUntil(opened, read, (all) => expect(all).toEqual([expected]));
  // A second message with the same topic replaces the notification.
  const again = { ...expected, body: 'Again.' };
  await deliverUntil(opened, JSON.stringify(again), (all) => expect(all).toEqual([again]));
  const gone = { as: session, body: { endpoint: `${service.url}/ada` } };
  expect((await stack.rest('DELETE', '/api/member/web-push', gone)).body).toEqual({ data: { ok: true } });
  expect(await act(`sendTestPush(memberId: "${memberId}") { browsers }`)).toEqual({ browsers: 0 });
});

test('a message that is no notification is shown as text', async () => {
  await deliverUntil(await openShop(), 'Hello', (all) =>
    expect(new Set(all.map(({ title }) => title))).toEqual(new Set(['Hello'])),
  );
});
