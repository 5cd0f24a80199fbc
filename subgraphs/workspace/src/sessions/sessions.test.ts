import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@loyalty/platform/clock';
import { createTestServices, type TestServices } from '@loyalty/test/services';
import { changePassword } from '../passwords/passwords.service.ts';
import { createGiven, PASSWORD } from '../workspace.given.ts';
import { login, refreshSession } from './sessions.service.ts';

let services: TestServices;
let given: ReturnType<typeof createGiven>;
beforeAll(async () => {
  services = await createTestServices();
  given = createGiven(services);
});
afterAll(() => services.close());

const LOGIN = 'mutation ($input: LoginInput!) { login(input: $input) { token expiresAt } }';
const input = (email: string, password = PASSWORD) => ({ input: { email, password } });

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

  test('is refused after ten attempts in 15 minutes, known address or not, and works again afterwards', async () => {
    const { email } = await given.owner();
    services.clock.advance(15 * MINUTE_MS);
    for (const address of [email, 'unknown@example.com']) {
      for (let attempt = 0; attempt < 10; attempt += 1) {
        expect(await given.run(given.nobody(), LOGIN, input(address, 'wrong password'))).toMatchObject({
          reason: 'CREDENTIAL_INVALID',
        });
      }
      expect(await given.run(given.nobody(), LOGIN, input(address))).toMatchObject({ code: 'RATE_LIMITED' });
    }
    services.clock.advance(15 * MINUTE_MS);
    expect((await given.run(given.nobody(), LOGIN, input(email))).errors).toBeUndefined();
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
      ctx = await given.holder(token);
      services.clock.advance(50 * MINUTE_MS);
    }
    services.clock.set(new Date(start.getTime() + 12 * HOUR_MS));
    await expect(refreshSession(ctx)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
  });

  test('fails for a caller who was looked up before the password changed', async () => {
    const { ctx } = await given.owner();
    await changePassword(ctx, { currentPassword: PASSWORD, newPassword: 'another long password' });
    await expect(refreshSession(ctx)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });
});
