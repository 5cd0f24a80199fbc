import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mailsTo } from '@loyalty/loyalty-subgraph/enrollment/enrollment.fixture';
import { eventually } from '../harness/eventually.ts';
import type { Stack } from '../harness/stack.ts';
import type { Visit, VisitOptions } from './browser.ts';
import { createSite, heading, press, type Site } from './site.fixture.ts';

let site: Site;
let stack: Stack;
beforeAll(async () => {
  site = await createSite();
  ({ stack } = site);
});
afterAll(() => site.close());
afterEach(() => site.endVisits());
const open = (link: string, options?: VisitOptions) => site.open(link, options);

/** The link in the newest e-mail to an address. */
async function mailedLink(address: string, path: string): Promise<string> {
  let link: string | undefined;
  await eventually(async () => {
    const mail = (await mailsTo(stack.services, address))
      .filter((each) => each.includes(`${path}#token=`))
      .at(-1);
    link = /https?:\S+#token=[\w-]+/.exec(mail ?? '')?.[0];
    expect(link).toBeDefined();
  });
  return link!;
}

async function focused({ page }: Visit): Promise<string> {
  return page.evaluate('document.activeElement.id || document.activeElement.textContent');
}

let people = 0;
const newAddress = (): string => {
  people += 1;
  return `visitor${people}@example.com`;
};

/** Somebody who filled in the form, with the link from the e-mail. */
async function joined(): Promise<{ email: string; link: string }> {
  const email = newAddress();
  const token = site.form.token;
  const { errors } = await stack.graph(
    'mutation ($token: String!, $email: String!) { enrol(token: $token, input: { email: $email }) { accepted } }',
    { token, email },
  );
  expect(errors).toBeUndefined();
  return { email, link: await mailedLink(email, 'confirm-enrollment') };
}

async function memberOf(email: string) {
  const { body } = await stack.rest('POST', '/api/v2/members/batch', {
    as: site.key,
    body: { members: [{ email }] },
  });
  const id = body.results[0].id;
  return site.admin<{ status: string; enrollment: { consents: string[]; confirmedAt: string | null } }>(
    'query ($id: ID!) { answer: member(id: $id) { status enrollment { consents confirmedAt } } }',
    { id },
  );
}

describe('joining', () => {
  test('works by keyboard alone: the form, the mail, the link, the button', async () => {
    const email = newAddress();
    const opened = await open(site.form.url);
    const { page } = opened;
    await heading(opened, /^Join /);
    expect(opened.asked).toEqual(['enrollment-page']);
    await page.keyboard.press('Tab');
    expect(await focused(opened)).toBe('email');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Vera Visitor');
    while ((await page.evaluate('document.activeElement.value')) !== 'EMAIL_MARKETING')
      await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await heading(opened, 'Almost there');
    expect(await focused(opened)).toBe('Almost there');
    expect(opened.asked).toEqual(['enrollment-page', 'enrol']);

    const confirming = await open(await mailedLink(email, 'confirm-enrollment'));
    await heading(confirming, 'Confirm that you join');
    await confirming.page.keyboard.press('Tab');
    await confirming.page.keyboard.press('Enter');
    await heading(confirming, 'Welcome');
    expect(await memberOf(email)).toMatchObject({
      status: 'ACTIVE',
      enrollment: { consents: ['EMAIL_MARKETING'] },
    });
  });

  test('shows a missing or wrong value at its field, which gets the focus', async () => {
    const opened = await open(`${site.form.url}?ref=BADE-BADE-BADE`);
    const { page } = opened;
    await heading(opened, /^Join /);
    await press(opened);
    expect(await focused(opened)).toBe('email');
    expect(await page.locator('#email-error').textContent()).toBe('Fill this in.');
    await page.fill('#email', 'nobody');
    await press(opened);
    expect(await page.locator('#email-error').textContent()).toBe('Check this. Such as ada@example.com.');
    expect(await page.getAttribute('#email', 'aria-invalid')).toBe('true');
    expect(opened.asked).toEqual(['enrollment-page']);
    await page.fill('#email', newAddress());
    expect(await page.inputValue('#referralCode')).toBe('BADE-BADE-BADE');
    await press(opened);
    await page.getByText('There is no such code').waitFor();
    expect(await focused(opened)).toBe('referralCode');
    await page.fill('#referralCode', '');
    await press(opened);
    await heading(opened, 'Almost there');
  });

  test('reports a form that is closed or unknown, and a code without a form', async () => {
    await heading(await open('/enrol/no-such-form'), 'This form is not open');
    await heading(await open('/enrol?ref=BADE-KUFA-MEZU'), 'Joining is not open yet');
  });

  test('has a button to load a form again that could not be loaded', async () => {
    const opened = await open('/confirm-enrollment#token=x');
    await opened.page.route('**/pages/enrollment-page', (route) => route.abort());
    await opened.page.goto(`${stack.url}/enrol/${site.form.token}`);
    await heading(opened, 'The page could not be loaded');
    await opened.page.unroute('**/pages/enrollment-page');
    await opened.page.getByRole('button', { name: 'Try again' }).click();
    await heading(opened, /^Join /);
    // The errors are expected, because the test cut the connection.
    opened.complaints.length = 0;
  });
});

describe('confirming', () => {
  test('happens only by the button, once however often it is pressed, and removes the token from the URL', async () => {
    const { email, link } = await joined();
    const opened = await open(link);
    await heading(opened, 'Confirm that you join');
    expect(opened.page.url()).toBe(`${stack.url}/confirm-enrollment`);
    await opened.page.waitForLoadState('networkidle');
    expect(opened.asked).toEqual([]);
    expect((await memberOf(email)).status).toBe('PENDING');
    await opened.page.locator('form button').dblclick();
    await heading(opened, 'Welcome');
    expect(opened.asked).toEqual(['confirm-enrollment']);
    expect((await memberOf(email)).status).toBe('ACTIVE');
    await opened.page.reload();
    await heading(opened, 'This link does not work any more');
  });

  test('by a used link fails and says what to do, and works by another link in the same tab', async () => {
    const [used, fresh] = [await joined(), await joined()];
    const first = await open(used.link);
    await press(first);
    await heading(first, 'Welcome');
    const again = await open(used.link);
    await press(again);
    await heading(again, 'This link does not work any more');
    await again.page.getByText('join again').waitFor();
    await again.page.evaluate(`location.hash = ${JSON.stringify(new URL(fresh.link).hash)}`);
    await heading(again, 'Confirm that you join');
    await press(again);
    await heading(again, 'Welcome');
  });

  test('loses nothing without a connection: the same button works later', async () => {
    const { link } = await joined();
    const opened = await open(link);
    await heading(opened, 'Confirm that you join');
    await opened.page.context().setOffline(true);
    await press(opened);
    await opened.page.getByRole('alert').getByText('There is no connection').waitFor();
    await opened.page.context().setOffline(false);
    await press(opened);
    await heading(opened, 'Welcome');
  });

  test('is in Portuguese in a Portuguese browser', async () => {
    const { link } = await joined();
    const opened = await open(link, { locale: 'pt-PT' });
    await heading(opened, 'Confirme a sua adesão');
    expect(await opened.page.getAttribute('html', 'lang')).toBe('pt');
    await press(opened);
    await heading(opened, 'Damos-lhe as boas-vindas');
  });

  test('of an e-mail address calls the graph when the button is pressed, and shows the result', async () => {
    const opened = await open('/confirm-email#token=used-or-unknown');
    await heading(opened, 'Confirm your e-mail address');
    expect([opened.page.url(), opened.asked]).toEqual([`${stack.url}/confirm-email`, []]);
    await press(opened);
    const { data } = await stack.graph<{ __type: { fields: { name: string }[] } }>(
      '{ __type(name: "Mutation") { fields { name } } }',
      {},
      site.owner.token,
    );
    const isThere = data.__type.fields.some(({ name }) => name === 'confirmEmail');
    if (isThere) await heading(opened, 'This link does not work any more');
    else await opened.page.getByRole('alert').getByText('Something went wrong').waitFor();
    expect(opened.asked).toEqual(['confirm-email']);
  });
});

describe('a password', () => {
  test('is set by the link of a mail: weak ones are refused at the field, and the link works once', async () => {
    const { email } = await stack.signUp('Rita Reset');
    await stack.rest('POST', '/api/v2/auth/forgot-password', { body: { email } });
    const link = await mailedLink(email, 'reset-password');
    const opened = await open(link);
    const { page } = opened;
    await heading(opened, 'Set a new password');
    await page.fill('#newPassword', '1234567890');
    await press(opened);
    await page.getByText('harder to guess').waitFor();
    expect(await focused(opened)).toBe('newPassword');
    await page.fill('#newPassword', 'a password nobody knows');
    await page.keyboard.press('Enter');
    await heading(opened, 'Password changed');
    const body = { email, password: 'a password nobody knows' };
    expect((await stack.rest('POST', '/api/v2/auth/login', { body })).status).toBe(200);
    const again = await open(link);
    await again.page.fill('#newPassword', 'a password nobody knows');
    await press(again);
    await heading(again, 'This link does not work any more');
  });

  test('must be that of the account if an invitation is for an existing one; otherwise a new one makes the account', async () => {
    const invite =
      'mutation ($email: String!) { answer: inviteUser(input: { email: $email, role: MEMBER }) { id } }';
    const known = await stack.signUp('Kim Known');
    await site.admin(invite, { email: known.email });
    const wrong = await open(await mailedLink(known.email, 'invitation'));
    await wrong.page.getByText('You have an account with this e-mail address').waitFor();
    expect(await wrong.page.locator('#name').isVisible()).toBe(false);
    await wrong.page.fill('#password', 'not the password of Kim');
    await press(wrong);
    await wrong.page.getByRole('alert').getByText('The password is not the one').waitFor();

    const email = newAddress();
    await site.admin(invite, { email });
    const opened = await open(await mailedLink(email, 'invitation'));
    await heading(opened, /^Join the team of ./);
    expect(await opened.page.getByText('(optional)').filter({ visible: true }).count()).toBe(0);
    await opened.page.fill('#password', 'a password of Nina alone');
    await press(opened);
    await opened.page.locator('#name-error').getByText('Fill this in.').waitFor();
    await opened.page.fill('#name', 'Nina New');
    await press(opened);
    await heading(opened, 'You have joined');
    const link = opened.page.getByRole('link', { name: 'Sign in to the back office' });
    expect(await link.getAttribute('href')).toBe('/app/');
    const body = { email, password: 'a password of Nina alone' };
    expect((await stack.rest('POST', '/api/v2/auth/login', { body })).status).toBe(200);
  });
});

test('the page after a payment says whether it was made', async () => {
  await heading(await open('/wallet?payment=done'), 'Thank you');
  await heading(await open('/wallet?payment=cancelled', { locale: 'pt-BR' }), 'Nada foi pago');
});
