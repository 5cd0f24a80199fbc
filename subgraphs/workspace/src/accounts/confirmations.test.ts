import { beforeAll, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';
import { useServices } from '@loyalty/test/harness/services';
import { register } from '../team/registration.service.ts';
import { createGiven, PASSWORD, tokenIn } from '../workspace.fixture.ts';
import { sendEmailConfirmationJob } from './accounts.jobs.ts';

const { services } = useServices();
let given: ReturnType<typeof createGiven>;
beforeAll(() => {
  const config = { ...services.config, TRIAL_NEEDS_CONFIRMED_EMAIL: true };
  given = createGiven({ ...services, config });
});

const CONFIRM = 'mutation ($token: String!) { confirmEmail(token: $token) }';
const AGAIN = 'mutation { requestEmailConfirmation }';

/** Returns the payloads of an event, the latest last. */
const publishedEvents = async (type: string): Promise<Record<string, string>[]> => {
  const sql = 'SELECT payload FROM platform.outbox WHERE type = $1 ORDER BY id';
  const rows = await services.database.sql.query<{ payload: Record<string, string> }>(sql, [type]);
  return rows.map(({ payload }) => payload);
};

/** Runs the job of the latest request like the worker, and returns the mail. */
async function mailed(): Promise<string> {
  const requested = (await publishedEvents('workspace.email_confirmation_requested')).at(-1);
  const worker = given.as(systemCaller('worker', { workspaceId: PLATFORM_WORKSPACE_ID, mode: 'LIVE' }));
  const sent = (await given.mails()).length;
  await sendEmailConfirmationJob.run(worker, requested);
  const mails = await given.mails();
  return mails.length > sent ? mails.at(-1)! : '';
}

const confirm = (token: string, ctx: Context = given.nobody()) => given.run(ctx, CONFIRM, { token });

/** Registers a person where confirmation is required. */
async function newcomer() {
  const person = await given.owner(`New ${Math.random()}`);
  const mail = await mailed();
  return { ...person, mail, token: tokenIn(mail) };
}

test('nobody is asked to confirm unless the operator wants it', async () => {
  const plain = createGiven(services).nobody();
  await register(plain, { email: 'plain@example.com', password: PASSWORD, name: 'Plain' });
  expect(await publishedEvents('workspace.email_confirmation_requested')).toEqual([]);
});

test('a mailed link confirms the address once, for the workspace that was registered with it', async () => {
  const { mail, token, workspaceId } = await newcomer();
  expect(mail).toContain('/confirm-email#token=');
  const stored = await services.database.sql.query('SELECT * FROM workspace.email_confirmations');
  expect(JSON.stringify(stored)).not.toContain(token);
  expect((await confirm(token)).data).toEqual({ confirmEmail: true });
  expect(await publishedEvents('workspace.email_confirmed')).toEqual([{ workspaceId }]);
  expect(await confirm(token)).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'TOKEN_INVALID' });
  expect(await publishedEvents('workspace.email_confirmed')).toHaveLength(1);
});

test('two clicks at once confirm once', async () => {
  const { token, workspaceId } = await newcomer();
  const answers = await Promise.all([confirm(token), confirm(token)]);
  expect(answers.map(({ reason }) => reason).sort()).toEqual(['TOKEN_INVALID', undefined]);
  const events = await publishedEvents('workspace.email_confirmed');
  expect(events.filter((event) => event['workspaceId'] === workspaceId)).toHaveLength(1);
});

test('a link is good for 7 days, and a newer one takes its place', async () => {
  const { ctx, token } = await newcomer();
  expect((await given.run(ctx, AGAIN)).data).toEqual({ requestEmailConfirmation: true });
  const second = tokenIn(await mailed());
  expect((await confirm(token)).reason).toBe('TOKEN_INVALID');
  services.clock.advance(7 * DAY_MS);
  expect((await confirm(second)).reason).toBe('TOKEN_INVALID');
  await given.run(ctx, AGAIN);
  expect((await confirm(tokenIn(await mailed()))).data).toEqual({ confirmEmail: true });
});

test('who has confirmed is mailed no link again', async () => {
  const { ctx, token } = await newcomer();
  await confirm(token);
  expect((await given.run(ctx, AGAIN)).data).toEqual({ requestEmailConfirmation: true });
  expect(await mailed()).toBe('');
});

test('a link is asked for at most ten times in 15 minutes', async () => {
  const { ctx } = await newcomer();
  for (let time = 0; time < 10; time += 1) expect((await given.run(ctx, AGAIN)).errors).toBeUndefined();
  expect(await given.run(ctx, AGAIN)).toMatchObject({ code: 'RATE_LIMITED' });
});
