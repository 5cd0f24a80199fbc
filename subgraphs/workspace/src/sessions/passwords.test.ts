import { describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { CREDENTIALS_CHANNEL } from '@loyalty/platform/identity/credentials';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven, PASSWORD, tokenIn } from '../workspace.fixture.ts';
import { changePassword, resetPassword } from './passwords.service.ts';
import { sendPasswordResetJob } from './sessions.jobs.ts';
import { login } from './sessions.service.ts';

const { services } = useServices();
const given = createGiven(services);

const OTHER = 'quite another password';

const REQUEST = 'mutation ($email: String!) { requestPasswordReset(email: $email) }';

/** Requests a reset, runs the job like the worker, and returns the token in the mail. */
async function mailedToken(email: string): Promise<string> {
  await given.run(given.nobody(), REQUEST, { email });
  const [event] = await services.database.sql.query<{ payload: { accountId: string } }>(
    `SELECT payload FROM platform.outbox WHERE type = 'workspace.password_reset_requested' ORDER BY id DESC LIMIT 1`,
  );
  const worker = given.as(systemCaller('worker', { workspaceId: PLATFORM_WORKSPACE_ID, mode: 'LIVE' }));
  const sent = (await given.mails()).length;
  await sendPasswordResetJob.run(worker, event!.payload);
  const mails = await given.mails();
  return mails.length > sent ? tokenIn(mails.at(-1)) : '';
}

describe('changing a password', () => {
  test('ends every other session and returns one that works', async () => {
    const { ctx, email, token } = await given.owner();
    const other = await login(given.nobody(), { email, password: PASSWORD });
    const renewed = await changePassword(ctx, { currentPassword: PASSWORD, newPassword: OTHER });
    for (const ended of [token, other.token]) {
      await expect(given.contextOf(ended)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    }
    expect((await given.contextOf(renewed.token)).caller.actor).toBe(ctx.caller.actor);
    await expect(login(given.nobody(), { email, password: PASSWORD })).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
    });
  });

  test('notifies gateways to drop what they cached of the user', async () => {
    const { ctx, id } = await given.owner();
    const notified = new Promise((resolve) => services.live.subscribe(CREDENTIALS_CHANNEL, resolve));
    await changePassword(ctx, { currentPassword: PASSWORD, newPassword: OTHER });
    expect(await notified).toBe(`user:${id}`);
  });

  test('needs the current one', async () => {
    const { ctx, token } = await given.owner();
    const attempt = changePassword(ctx, { currentPassword: OTHER, newPassword: OTHER });
    await expect(attempt).rejects.toMatchObject({
      ...{ category: 'BAD_USER_INPUT', code: 'PASSWORD_WRONG' },
      details: { field: 'input.currentPassword' },
    });
    expect((await given.contextOf(token)).caller.kind).toBe('USER');
  });

  test('succeeds for one of two callers at once', async () => {
    const { ctx } = await given.owner();
    const outcomes = await Promise.allSettled(
      [OTHER, `${OTHER}!`].map((newPassword) =>
        changePassword(ctx, { currentPassword: PASSWORD, newPassword }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('resetting a password', () => {
  test('is answered alike for a known and an unknown address, with the same statements', async () => {
    const { email } = await given.owner();
    const answers = [];
    for (const address of [email, 'nobody@example.com']) {
      services.statements.length = 0;
      const { data, errors } = await given.run(given.nobody(), REQUEST, { email: address });
      answers.push({ data, errors, statements: [...services.statements] });
    }
    expect(answers[0]?.data).toEqual({ requestPasswordReset: true });
    expect(answers[1]).toEqual(answers[0]);
  });

  test('mails nobody when the address has no account', async () => {
    expect(await mailedToken('nobody@example.com')).toBe('');
  });

  test('by the mailed link sets the password and ends all sessions; the token is stored as a hash only', async () => {
    const { email, token: session } = await given.owner();
    const token = await mailedToken(email);
    const stored = await services.database.sql.query('SELECT token_hash FROM workspace.password_resets');
    expect(JSON.stringify(stored)).not.toContain(token);
    await resetPassword(given.nobody(), { token, newPassword: OTHER });
    await expect(given.contextOf(session)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    expect((await login(given.nobody(), { email, password: OTHER })).token).toBeTruthy();
  });

  test('works once, even for two callers at once', async () => {
    const { email } = await given.owner();
    const token = await mailedToken(email);
    const outcomes = await Promise.allSettled(
      [OTHER, `${OTHER}!`].map((newPassword) => resetPassword(given.nobody(), { token, newPassword })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'TOKEN_INVALID' },
    });
  });

  test('makes links that were mailed before useless', async () => {
    const { email } = await given.owner();
    const [first, second] = [await mailedToken(email), await mailedToken(email)];
    await resetPassword(given.nobody(), { token: second, newPassword: OTHER });
    const attempt = resetPassword(given.nobody(), { token: first, newPassword: PASSWORD });
    await expect(attempt).rejects.toMatchObject({ category: 'BAD_USER_INPUT', code: 'TOKEN_INVALID' });
  });

  test('is too late after 60 minutes', async () => {
    const { email } = await given.owner();
    const token = await mailedToken(email);
    services.clock.advance(60 * MINUTE_MS);
    await expect(resetPassword(given.nobody(), { token, newPassword: OTHER })).rejects.toMatchObject({
      code: 'TOKEN_INVALID',
    });
  });

  test('is asked for at most ten times in 15 minutes from one place, which locks nobody out elsewhere', async () => {
    const askedFrom = (address: string) =>
      given.run(given.nobody(address), REQUEST, { email: 'often@example.com' });
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await askedFrom('203.0.113.1')).errors).toBeUndefined();
    for (let attempt = 0; attempt < 20; attempt += 1)
      expect(await askedFrom('203.0.113.1')).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await askedFrom('203.0.113.2')).errors).toBeUndefined();
  });

  test('is asked for at most a hundred times in 15 minutes from everywhere', async () => {
    const email = 'widely@example.com';
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const address = `203.0.113.${10 + Math.floor(attempt / 10)}`;
      expect((await given.run(given.nobody(address), REQUEST, { email })).errors).toBeUndefined();
    }
    const another = given.nobody('203.0.113.99');
    expect(await given.run(another, REQUEST, { email })).toMatchObject({ code: 'RATE_LIMITED' });
  });
});
