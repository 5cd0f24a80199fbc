import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { storeInMailbox } from '@loyalty/engagement-subgraph/providers/mailbox.service';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf } from '../harness/services.ts';
import { createStack } from '../harness/stack.ts';
import { violationsOf } from './accessibility.ts';
import { fitsWidth, picture, type Visit } from './browser.ts';
import { createSite, heading, type Site } from './site.fixture.ts';

const PASSWORD = 'a password of a developer';
const SCRIPT = '<script>document.title = "run"; parent.document.title = "run"</script>';

let site: Site;
let ctx: Context;
let email: string;
beforeAll(async () => {
  site = await createSite();
  const { stack } = site;
  email = `developer.${process.pid}@example.com`;
  await stack.rest('POST', '/api/v2/auth/register', { body: { email, password: PASSWORD, name: 'Dee' } });
  const { body } = await stack.rest('POST', '/api/v2/auth/login', { body: { email, password: PASSWORD } });
  const { data } = await stack.graph<{ viewer: { workspace: { id: string } } }>(
    '{ viewer { workspace { id } } }',
    {},
    body.token,
  );
  ctx = contextOf(stack.services, callerOf({ workspaceId: data.viewer.workspace.id }));
  for (let number = 0; number < 25; number += 1) await keep(ctx, `Message ${number}`, 'lea@example.com');
  await keep(contextOf(stack.services, { ...ctx.caller, mode: 'TEST' }), 'A test', 'tess@example.com');
  const other = contextOf(stack.services, callerOf({ workspaceId: site.owner.workspaceId }));
  await keep(other, 'Of another', 'eve@example.com');
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

const keep = (there: Context, subject: string, to: string) =>
  storeInMailbox(there, {
    ...{ id: newId(there.clock), to, from: 'Shop <shop@example.com>', replyTo: null, subject },
    html: `<style>p { color: rgb(1, 2, 3) }</style><p>Hello</p><a href="/preferences">choose</a>${SCRIPT}`,
    text: 'Hello',
    headers: { 'List-Unsubscribe': '<https://shop.example/u/x>' },
  });

async function signIn({ page }: Visit, password = PASSWORD): Promise<void> {
  await page.fill('#email', email);
  await page.fill('#password', password);
  await page.keyboard.press('Enter');
}

test('the mailbox shows a signed-in user the mails of the workspace and mode, newest first', async () => {
  const opened = await site.open('/mailbox', { width: 1_100 });
  const { page } = opened;
  await signIn(opened);
  await page.getByRole('button', { name: 'Message 24' }).waitFor();
  expect(await page.locator('.list button strong').allTextContents()).toEqual(
    Array.from({ length: 20 }, (_, at) => `Message ${24 - at}`),
  );
  await page.getByRole('button', { name: 'Older messages' }).click();
  await page.getByRole('button', { name: 'Message 0 ' }).waitFor();
  expect(await page.getByRole('button', { name: 'Older messages' }).isVisible()).toBe(false);
  await page.selectOption('#mode', 'test');
  await page.getByRole('button', { name: 'A test' }).waitFor();
  expect(await page.locator('.list button').count()).toBe(1);
  expect(await page.content()).not.toContain('Of another');
});

test('the mailbox shows a mail as it would look, without running its scripts', async () => {
  const opened = await site.open('/mailbox', { width: 1_100 });
  const { page } = opened;
  await signIn(opened);
  await page.getByRole('button', { name: 'Message 24' }).click();
  await heading(opened, 'Message 24');
  const frame = page.frameLocator('iframe');
  await frame.getByText('Hello').waitFor();
  expect(await page.title()).toBe('Mailbox');
  await page.getByText('Headers').click();
  await page.getByText('<https://shop.example/u/x>').waitFor();
  await picture(page, 'mailbox-wide');
  // The browser reports that it blocked the script.
  expect(opened.complaints.length).toBeGreaterThan(0);
  expect(opened.complaints.filter((each) => !/script/i.test(each))).toEqual([]);
  opened.complaints.length = 0;
});

test('the mailbox says why a sign-in failed', async () => {
  const opened = await site.open('/mailbox');
  await signIn(opened, 'not the password of Dee');
  await opened.page
    .getByRole('alert')
    .getByText(/password/i)
    .waitFor();
  expect(await opened.page.locator('.list').isVisible()).toBe(false);
});

test('the mailbox does not exist in production', async () => {
  const stack = await createStack(undefined, { isProduction: true });
  try {
    for (const path of ['/mailbox', '/pages/mailbox.js'])
      expect([path, (await fetch(`${stack.url}${path}`)).status]).toEqual([path, 404]);
  } finally {
    await stack.close();
  }
});

describe.each(['light', 'dark'] as const)('on a screen of 360 pixels, %s', (colorScheme) => {
  test('the mailbox has no accessibility fault, signed out, with a list and with a mail', async () => {
    const opened = await site.open('/mailbox', { colorScheme, width: 360 });
    const { page } = opened;
    const check = async (state: string) => {
      expect([state, await violationsOf(page), await fitsWidth(page)]).toEqual([state, [], true]);
      await picture(page, `mailbox-${state}-${colorScheme}`);
    };
    await page.locator('#email').waitFor();
    await check('signed-out');
    await signIn(opened);
    await page.getByRole('button', { name: 'Message 24' }).waitFor();
    await check('list');
    await page.getByRole('button', { name: 'Message 24' }).click();
    await heading(opened, 'Message 24');
    for (const name of ['Text', 'Headers']) await page.locator('summary', { hasText: name }).click();
    await check('mail');
    opened.complaints.length = 0;
  });
});
