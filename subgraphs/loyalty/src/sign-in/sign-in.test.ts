import { beforeEach, describe, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { verifySession } from '@loyalty/platform/identity/session-token';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { mailsTo, nobody, tokenIn } from '../enrollment/enrollment.fixture.ts';
import { createEnrollmentForm } from '../enrollment-forms/enrollment-forms.service.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { requestErasure } from '../member-status/member-status.service.ts';
import { place } from '../visits/visits.fixture.ts';
import { mailSignInCodeJob } from './sign-in.jobs.ts';
import { handleOf } from './sign-in-code.ts';

const { services, ctx, newContext } = useServices();
let form: string;

const START =
  'mutation ($input: StartMemberSignInInput!) { startMemberSignIn(input: $input) { id expiresAt } }';
const COMPLETE =
  'mutation ($id: String!, $code: String!) { completeMemberSignIn(id: $id, code: $code) { token } }';
const BY_TOKEN =
  'mutation ($token: String!) { completeMemberSignInByToken(token: $token) { token expiresAt } }';

const formOf = async (where: Context) =>
  (await createEnrollmentForm(where, { name: 'Till', source: 'QR' })).token;

beforeEach(async () => {
  services.clock.advance(HOUR_MS);
  await place.workspace(ctx);
  form = await formOf(ctx);
});

const start = async (email: string, more: object = { form }, from: Context = nobody(services)) =>
  (await ask(from, START, { input: { email, ...more } })).startMemberSignIn as { id: string };
const complete = async (id: string, code: string): Promise<string> =>
  (await ask(nobody(services), COMPLETE, { id, code })).completeMemberSignIn.token;
const completeByToken = async (token: string): Promise<string> =>
  (await ask(nobody(services), BY_TOKEN, { token })).completeMemberSignInByToken.token;

/** Runs all requested jobs, like the worker. */
async function sendMails(where: Context = ctx): Promise<void> {
  for (const payload of await publishedEvents(where, 'loyalty.member_sign_in_requested'))
    await mailSignInCodeJob.run(where, payload);
}

const codeIn = (mail: string | undefined): string => /^(\d{6})\s*$/m.exec(mail ?? '')?.[1] ?? '';
const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Creates a member who has just received the mail. */
async function mailed() {
  const { id: memberId, email } = await someone();
  const { id } = await start(email);
  await sendMails();
  const mail = (await mailsTo(services, email)).at(-1);
  return { memberId, email, id, code: codeIn(mail), token: tokenIn(mail) };
}

let people = 0;
async function someone(where: Context = ctx) {
  people += 1;
  const email = `signs-in-${people}@example.com`;
  return { id: (await given.member(where, { email })).id, email };
}

const memberOf = async (token: string) => {
  const { audience, subject, workspaceId, mode } = await verifySession(
    services.config.masterKeys,
    token,
    services.clock,
  );
  expect([audience, workspaceId, mode]).toEqual(['member', ctx.scope.workspaceId, 'LIVE']);
  return subject;
};

describe('the code of a mail', () => {
  test('signs its member in, once', async () => {
    const { memberId, id, code } = await mailed();
    expect(code).toMatch(/^\d{6}$/);
    expect(await memberOf(await complete(id, ` ${code.slice(0, 3)} ${code.slice(3)}`))).toBe(memberId);
    await expect(complete(id, code)).rejects.toMatchObject({ code: 'CODE_INVALID' });
  });

  test('sent twice at once signs in once', async () => {
    const { id, code } = await mailed();
    const ended = await Promise.allSettled([complete(id, code), complete(id, code), complete(id, code)]);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('ends after ten minutes', async () => {
    const { id, code } = await mailed();
    services.clock.advance(10 * MINUTE_MS);
    await expect(complete(id, code)).rejects.toMatchObject({ code: 'CODE_INVALID' });
  });

  test('is mailed as long as it works, and not when it has ended', async () => {
    const sent = async (waitMs: number) => {
      const { email } = await someone();
      await start(email);
      services.clock.advance(waitMs);
      await sendMails();
      return (await mailsTo(services, email)).length;
    };
    expect([await sent(10 * MINUTE_MS - 1), await sent(10 * MINUTE_MS)]).toEqual([1, 0]);
  });

  test('is no good after five wrong ones, but after four', async () => {
    const lucky = await mailed();
    for (let n = 0; n < 4; n += 1)
      await expect(complete(lucky.id, other(lucky.code))).rejects.toMatchObject({ code: 'CODE_INVALID' });
    expect(await complete(lucky.id, lucky.code)).toBeTruthy();
    const unlucky = await mailed();
    // Concurrently, so that a read before a write could not let a sixth try pass.
    await Promise.allSettled(Array.from({ length: 5 }, () => complete(unlucky.id, other(unlucky.code))));
    await expect(complete(unlucky.id, unlucky.code)).rejects.toMatchObject({ code: 'CODE_INVALID' });
  });

  test("is no good for another's sign-in, nor for one that there never was", async () => {
    const [one, two] = [await mailed(), await mailed()];
    await expect(complete(one.id, two.code)).rejects.toMatchObject({ code: 'CODE_INVALID' });
    const strange = handleOf(newContext().scope.workspaceId, '0197a3c8-2b31-7e21-8c52-4d3e2f106b88');
    for (const id of [strange, 'nonsense', ''])
      await expect(complete(id, one.code)).rejects.toMatchObject({ code: 'CODE_INVALID' });
  });

  test('is stored as a keyed hash only, and so is the token of the link', async () => {
    const { code, token } = await mailed();
    const rows = await ctx.sql.query<object>(
      'SELECT * FROM loyalty.member_sign_ins WHERE workspace_id = $1',
      [ctx.scope.workspaceId],
    );
    expect(rows).toHaveLength(1);
    const text = JSON.stringify({ ...rows[0], id: null, created_at: null, expires_at: null });
    expect(text).not.toContain(code);
    expect(text).not.toContain(token);
  });
});

describe('the link of a mail', () => {
  test('signs its member in, once, and uses up the code', async () => {
    const { memberId, token, id, code } = await mailed();
    expect(await memberOf(await completeByToken(token))).toBe(memberId);
    await expect(completeByToken(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    await expect(complete(id, code)).rejects.toMatchObject({ code: 'CODE_INVALID' });
  });

  test('of an earlier mail does not work when the mail is sent again', async () => {
    const { token, email } = await mailed();
    await sendMails();
    await expect(completeByToken(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    const again = tokenIn((await mailsTo(services, email)).at(-1));
    expect(await completeByToken(again)).toBeTruthy();
  });

  test('does not work when the member has asked to be erased', async () => {
    const { memberId, token } = await mailed();
    await requestErasure(ctx, memberId);
    await expect(completeByToken(token)).rejects.toMatchObject({ code: 'MEMBER_CLOSED' });
  });
});

describe('who asks for a mail', () => {
  test('learns nothing about whose address it is, and as many statements run', async () => {
    const { email } = await someone();
    const ask = async (address: string) => {
      services.statements.length = 0;
      const answer = await start(address);
      return { keys: Object.keys(answer), length: answer.id.length, sql: [...services.statements] };
    };
    await ask('warm-up@example.com');
    expect(await ask(email)).toEqual(await ask('nobody-has-this@example.com'));
    await sendMails();
    expect(await mailsTo(services, 'nobody-has-this@example.com')).toEqual([]);
    expect(await mailsTo(services, email)).toHaveLength(1);
  });

  test('names the workspace by a form or by a key', async () => {
    const { email } = await someone();
    const key = createContext(services, {
      caller: { ...ctx.caller, kind: 'KEY', role: null, scopes: [] },
      requestId: 'test',
    });
    expect(await start(email, {}, key)).toHaveProperty('id');
    expect(await start(email, { form }, key)).toHaveProperty('id');
    const foreign = await formOf(newContext());
    await expect(start(email, { form: foreign }, key)).rejects.toMatchObject({
      code: 'ENROLLMENT_FORM_NOT_FOUND',
    });
    await expect(start(email, {})).rejects.toMatchObject({
      message: 'input.form is required without a key.',
    });
    await expect(start(email, { form: 'x' })).rejects.toMatchObject({ code: 'ENROLLMENT_FORM_NOT_FOUND' });
    await expect(start('nonsense')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test("of another workspace's members reaches nobody, nor of test members", async () => {
    const { email } = await someone();
    const elsewhere = newContext();
    await place.workspace(elsewhere);
    await start(email, { form: await formOf(elsewhere) });
    await sendMails(elsewhere);
    const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    const tester = await someone(sandbox);
    await start(tester.email, { form: await formOf(sandbox) });
    await sendMails(sandbox);
    expect([await mailsTo(services, email), await mailsTo(services, tester.email)]).toEqual([[], []]);
  });

  test('gets five an hour for an address from one place, whoever has it, and thirty in all', async () => {
    for (let n = 0; n < 5; n += 1) await start('eager@example.com');
    await expect(start('EAGER@example.com')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const guest = nobody(services, '203.0.113.9');
    for (let n = 0; n < 30; n += 1) await start(`guest-${n}@example.com`, { form }, guest);
    await expect(start('one-more@example.com', { form }, guest)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    services.clock.advance(HOUR_MS);
    await start('eager@example.com', { form }, guest);
  });

  test('is not locked out by a stranger elsewhere, and uses the code that was mailed meanwhile', async () => {
    const { email, id, code } = await mailed();
    const stranger = nobody(services, '203.0.113.20');
    for (let n = 0; n < 5; n += 1) await start(email, { form }, stranger);
    for (let n = 0; n < 60; n += 1)
      await expect(start(email, { form }, stranger)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await start(email);
    expect(await complete(id, code)).toEqual(expect.any(String));
  });

  test('gets fifty mails an hour from everywhere', async () => {
    for (let n = 0; n < 50; n += 1)
      await start('known@example.com', { form }, nobody(services, `203.0.113.${30 + Math.floor(n / 5)}`));
    const another = nobody(services, '203.0.113.99');
    const refused = { code: 'RATE_LIMITED' };
    await expect(start('known@example.com', { form }, another)).rejects.toMatchObject(refused);
  });

  test('gets twenty codes a day, ten of them from one place, and then links alone', async () => {
    services.clock.set(new Date(Math.ceil(services.clock.now().getTime() / (24 * HOUR_MS)) * 24 * HOUR_MS));
    const { email, id: memberId } = await someone();
    for (const from of [nobody(services, '203.0.113.41'), nobody(services, '203.0.113.42')]) {
      for (let n = 0; n < 10; n += 1) {
        await start(email, { form }, from);
        if (n % 5 === 4) services.clock.advance(HOUR_MS);
      }
      await expect(start(email, { form }, from)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    }
    const { id } = await start(email);
    await sendMails();
    const mail = (await mailsTo(services, email)).at(-1);
    expect(codeIn(mail)).toBe('');
    await expect(complete(id, '000000')).rejects.toMatchObject({ code: 'CODE_INVALID' });
    expect(await memberOf(await completeByToken(tokenIn(mail)))).toBe(memberId);
  });

  test('may try fifty codes in fifteen minutes from one network address', async () => {
    const guesser = nobody(services, '203.0.113.10');
    const guess = () => ask(guesser, COMPLETE, { id: 'nonsense', code: '000000' });
    for (let n = 0; n < 50; n += 1) await expect(guess()).rejects.toMatchObject({ code: 'CODE_INVALID' });
    await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
