import { describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven, PASSWORD } from '../workspace.fixture.ts';
import { changePassword } from './passwords.service.ts';
import { login, refreshSession } from './sessions.service.ts';

const { services } = useServices();
const given = createGiven(services);

const LOGIN = 'mutation ($input: LoginInput!) { login(input: $input) { token expiresAt } }';
const input = (email: string, password = PASSWORD) => ({ input: { email, password } });

/** Enters a wrong password this many times, from one network address. */
async function fail(times: number, email: string, from: string): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1) {
    expect(await given.run(given.nobody(from), LOGIN, input(email, 'wrong password'))).toMatchObject({
      reason: 'CREDENTIAL_INVALID',
    });
  }
}

describe('signing in', () => {
  test('gives a session of one hour', async () => {
    const { email } = await given.owner();
    const { data } = await given.run<{ login: { expiresAt: string } }>(given.nobody(), LOGIN, input(email));
    expect(new Date(data.login.expiresAt).getTime()).toBe(services.clock.now().getTime() + HOUR_MS);
  });

  test('answers a wrong password and an unknown address alike', async () => {
    const { email } = await given.owner();
    const wrong = await given.run(given.nobody(), LOGIN, input(email, 'wrong password'));
    const unknown = await given.run(given.nobody(), LOGIN, input('nobody@example.com'));
    expect(wrong).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'CREDENTIAL_INVALID' });
    expect(unknown.errors).toEqual(wrong.errors);
  });

  test('is refused after ten wrong passwords in 15 minutes, known address or not, there and not elsewhere', async () => {
    const { email } = await given.owner();
    const [here, elsewhere] = ['203.0.113.20', '203.0.113.21'];
    for (const address of [email, 'unknown@example.com']) {
      await fail(10, address, here);
      expect(await given.run(given.nobody(here), LOGIN, input(address))).toMatchObject({
        code: 'RATE_LIMITED',
      });
    }
    expect((await given.run(given.nobody(elsewhere), LOGIN, input(email))).errors).toBeUndefined();
    expect((await given.run(given.nobody(here), LOGIN, input(email))).code).toBe('RATE_LIMITED');
    services.clock.advance(15 * MINUTE_MS);
    expect((await given.run(given.nobody(here), LOGIN, input(email))).errors).toBeUndefined();
  });

  test('is refused to an account as a whole after a hundred wrong passwords from everywhere, known or not', async () => {
    const { email } = await given.owner();
    for (const [index, address] of [email, 'stranger@example.com'].entries()) {
      for (let network = 0; network < 10; network += 1) {
        const from = `198.51.${index}.${network}`;
        await fail(10, address, from);
        // An attempt that is refused already does not count for the account.
        expect((await given.run(given.nobody(from), LOGIN, input(address))).code).toBe('RATE_LIMITED');
      }
      const other = given.nobody(`198.51.${index}.99`);
      expect(await given.run(other, LOGIN, input(address))).toMatchObject({ code: 'RATE_LIMITED' });
    }
    services.clock.advance(15 * MINUTE_MS);
  });

  test('that succeeds uses nothing up, and makes good for what failed before from there', async () => {
    const { email } = await given.owner();
    const from = '203.0.113.30';
    const signIn = async () => (await given.run(given.nobody(from), LOGIN, input(email))).errors;
    for (let turn = 0; turn < 12; turn += 1) expect(await signIn()).toBeUndefined();
    for (let turn = 0; turn < 3; turn += 1) {
      await fail(9, email, from);
      expect(await signIn()).toBeUndefined();
    }
    await fail(10, email, from);
    expect(await given.run(given.nobody(from), LOGIN, input(email))).toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('is counted for all processes together', async () => {
    const { email } = await given.owner();
    const from = '203.0.113.40';
    const second = await createServices({ ...services.config, DATABASE_URL: services.url }, 'second', {
      clock: services.clock,
      keyring: services.keyring,
    });
    const there = () => createContext(second, { caller: anonymous, requestId: 'test', address: from });
    try {
      await fail(5, email, from);
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await expect(login(there(), { email, password: 'wrong password' })).rejects.toMatchObject({
          code: 'CREDENTIAL_INVALID',
        });
      }
      for (const ctx of [there(), given.nobody(from)]) {
        await expect(login(ctx, { email, password: PASSWORD })).rejects.toMatchObject({
          code: 'RATE_LIMITED',
        });
      }
    } finally {
      await second.close();
    }
  });

  test('counts the addresses of one IPv6 network as one', async () => {
    const { email } = await given.owner();
    for (let attempt = 0; attempt < 10; attempt += 1) await fail(1, email, `2001:db8:1:2::${attempt}`);
    const answers = ['2001:db8:1:2:ffff::1', '2001:db8:1:3::1'].map((from) =>
      given.run(given.nobody(from), LOGIN, input(email)),
    );
    expect((await Promise.all(answers)).map(({ code }) => code)).toEqual(['RATE_LIMITED', undefined]);
  });

  test('is refused after fifty attempts of one network address, which is not stored', async () => {
    const from = '203.0.113.7';
    for (let attempt = 0; attempt < 50; attempt += 1) {
      await given.run(given.nobody(from), LOGIN, input(`guess${attempt}@example.com`));
    }
    expect(await given.run(given.nobody(from), LOGIN, input('guess@example.com'))).toMatchObject({
      code: 'RATE_LIMITED',
    });
    const counted = await services.database.sql.query<{ actor: string }>(
      'SELECT actor FROM platform.write_guards',
    );
    expect(JSON.stringify(counted)).not.toMatch(/203\.0\.113\.7|@example/);
  });

  test('leads to no workspace that the account does not belong to', async () => {
    const [{ email }, foreign] = [await given.owner(), await given.owner()];
    const attempt = login(given.nobody(), { email, password: PASSWORD, workspaceId: foreign.workspaceId });
    await expect(attempt).rejects.toMatchObject({ category: 'NOT_FOUND', code: 'WORKSPACE_NOT_FOUND' });
  });
});

describe('refreshing a session', () => {
  test('goes on for 12 hours after the password was given, and no longer', async () => {
    const start = services.clock.now();
    let { ctx } = await given.owner();
    for (let elapsed = 0; elapsed < 11.5 * HOUR_MS; elapsed += 50 * MINUTE_MS) {
      const { token, expiresAt } = await refreshSession(ctx);
      expect(expiresAt.getTime()).toBeLessThanOrEqual(start.getTime() + 12 * HOUR_MS);
      ctx = await given.contextOf(token);
      services.clock.advance(50 * MINUTE_MS);
    }
    const end = new Date(start.getTime() + 12 * HOUR_MS);
    services.clock.set(new Date(end.getTime() - SECOND_MS));
    expect((await refreshSession(ctx)).expiresAt).toEqual(end);
    services.clock.set(new Date(end.getTime() - SECOND_MS + 1));
    await expect(refreshSession(ctx)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
    services.clock.set(end);
    await expect(refreshSession(ctx)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
  });

  test('fails for a caller who was looked up before the password changed', async () => {
    const { ctx } = await given.owner();
    await changePassword(ctx, { currentPassword: PASSWORD, newPassword: 'another long password' });
    await expect(refreshSession(ctx)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });
});
