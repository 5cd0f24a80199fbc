import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mailsTo, tokenIn } from '@loyalty/loyalty-subgraph/enrollment/enrollment.fixture';
import { enrol } from '../contract/members/members.fixture.ts';
import { eventually } from '../harness/eventually.ts';
import { createSite, heading, press, type Site } from './site.fixture.ts';

let site: Site;
beforeAll(async () => {
  site = await createSite();
});
afterAll(() => site.close());
afterEach(() => site.endVisits());

test('the link of a sign-in keeps the session in a cookie that the browser sends, and no script reads', async () => {
  const { stack, form, key } = site;
  const { email } = await enrol(stack, key);
  const body = { email, form: form.token };
  expect((await stack.rest('POST', '/api/member/session', { body })).status).toBe(200);
  const token = await eventually(async () => {
    const found = tokenIn((await mailsTo(stack.services, email)).at(-1));
    expect(found).not.toBe('');
    return found;
  });
  const opened = await site.open(`/sign-in#token=${token}`);
  await heading(opened, 'Sign in');
  const { page } = opened;
  expect(await page.context().cookies()).toEqual([]);
  await press(opened);
  await heading(opened, 'You are signed in');
  expect(await page.context().cookies()).toEqual([
    expect.objectContaining({ name: 'loyalty-member', httpOnly: true, sameSite: 'Strict', path: '/' }),
  ]);
  expect(await page.evaluate('document.cookie')).toBe('');
  const viewer = `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ mySessions { nodes { isCurrent } } }' }) }).then((it) => it.json())`;
  expect(await page.evaluate(viewer)).toMatchObject({
    data: { mySessions: { nodes: [{ isCurrent: true }] } },
  });
  const again = await site.open(`/sign-in#token=${token}`);
  await press(again);
  await heading(again, 'This link does not work any more');
});
