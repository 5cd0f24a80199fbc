import { describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import type { Config } from '@loyalty/platform/config/config';
import { createContext } from '@loyalty/platform/database/create-context';
import { useServices } from '@loyalty/test/harness/services';
import { login } from '../sessions/sessions.service.ts';
import { createGiven, PASSWORD } from '../workspace.fixture.ts';
import { register } from './registration.service.ts';

const { services } = useServices();
const given = createGiven(services);

let people = 0;

/** Registers a new person from a network address. */
function registerFrom(address: string | null, settings: Partial<Config> = {}) {
  people += 1;
  const config = { ...services.config, ...settings };
  const ctx = createContext({ ...services, config }, { caller: anonymous, requestId: 'test', address });
  return register(ctx, { email: `new${people}@example.com`, password: PASSWORD, name: 'New' });
}

/** Returns the code with which the last of these registrations is refused; null if it is accepted. */
async function lastOf(count: number, address: string, settings: Partial<Config>): Promise<string | null> {
  for (let n = 1; n < count; n += 1) await registerFrom(address, settings);
  return registerFrom(address, settings).then(
    () => null,
    ({ code }: { code: string }) => code,
  );
}

describe('a network address', () => {
  test('registers twenty accounts in an hour, and again in the next', async () => {
    expect(services.config.REGISTRATIONS_PER_HOUR).toBe(20);
    expect(await lastOf(21, '203.0.113.50', {})).toBe('RATE_LIMITED');
    await expect(registerFrom('203.0.113.51')).resolves.toBeTruthy();
    services.clock.advance(HOUR_MS);
    await expect(registerFrom('203.0.113.50')).resolves.toBeTruthy();
  });

  test('registers as many as the operator says', async () => {
    expect(await lastOf(3, '203.0.113.52', { REGISTRATIONS_PER_HOUR: 2 })).toBe('RATE_LIMITED');
  });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'of this machine, %s, registers any number, but not in production',
    async (address) => {
      const settings = { REGISTRATIONS_PER_HOUR: 1 };
      expect(await lastOf(3, address, settings)).toBeNull();
      services.clock.advance(HOUR_MS);
      expect(await lastOf(2, address, { ...settings, isProduction: true })).toBe('RATE_LIMITED');
    },
  );

  test('is counted where the address that registers has an account already, or not', async () => {
    const { email } = await given.owner();
    const config = { ...services.config, REGISTRATIONS_PER_HOUR: 2 };
    const again = () =>
      register(
        createContext(
          { ...services, config },
          { caller: anonymous, requestId: 'test', address: '203.0.113.53' },
        ),
        { email, password: PASSWORD, name: 'Ada' },
      );
    for (const code of ['ACCOUNT_EXISTS', 'ACCOUNT_EXISTS', 'RATE_LIMITED']) {
      await expect(again()).rejects.toMatchObject({ code });
    }
  });
});

test('while many register, whoever has an account signs in before they are through', async () => {
  const { email } = await given.owner();
  let through = 0;
  const registrations = Array.from({ length: 60 }, () =>
    registerFrom(null).then(() => {
      through += 1;
    }),
  );
  await login(given.nobody(), { email, password: PASSWORD });
  expect(through).toBeLessThan(20);
  await Promise.all(registrations);
});

test('more registrations at once than can wait are refused with a time to come back, sign-in is not', async () => {
  const { email } = await given.owner();
  const registrations = Array.from({ length: 140 }, () => registerFrom(null));
  const outcomes = Promise.allSettled(registrations);
  await expect(login(given.nobody(), { email, password: PASSWORD })).resolves.toBeTruthy();
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const each of refused) {
    expect(each).toMatchObject({
      reason: { category: 'UNAVAILABLE', code: 'REGISTRATION_BUSY', details: { retryAfterSeconds: 5 } },
    });
  }
});
