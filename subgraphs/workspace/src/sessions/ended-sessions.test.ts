import { describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven, PASSWORD } from '../workspace.fixture.ts';
import { login, refreshSession } from './sessions.service.ts';

const { services } = useServices();
const given = createGiven(services);

const END = 'mutation ($everywhere: Boolean) { endSession(everywhere: $everywhere) }';
const refused = { code: 'CREDENTIAL_INVALID' };

async function signedIn() {
  const { email } = await given.owner();
  const open = async () => (await login(given.nobody(), { email, password: PASSWORD })).token;
  return { email, open };
}

describe('ending a session', () => {
  test('refuses its token from then on, and no other', async () => {
    const { open } = await signedIn();
    const [one, other] = [await open(), await open()];
    await given.run(await given.contextOf(one), END, {});
    await expect(given.contextOf(one)).rejects.toMatchObject(refused);
    await given.contextOf(other);
  });

  test('refuses every token that it was refreshed to, before and after', async () => {
    const { open } = await signedIn();
    const first = await given.contextOf(await open());
    const { token } = await refreshSession(first);
    const second = await given.contextOf(token);
    await given.run(first, END, {});
    await expect(given.contextOf(token)).rejects.toMatchObject(refused);
    // A concurrent refresh returns a token of the same session.
    const { token: late } = await refreshSession(second);
    await expect(given.contextOf(late)).rejects.toMatchObject(refused);
  });

  test('everywhere refuses the tokens of all devices', async () => {
    const { open } = await signedIn();
    const [one, other] = [await open(), await open()];
    await given.run(await given.contextOf(one), END, { everywhere: true });
    for (const token of [one, other]) await expect(given.contextOf(token)).rejects.toMatchObject(refused);
    await given.contextOf(await open());
  });

  test('twice at once is one end, which is kept for as long as a token could live', async () => {
    const { open } = await signedIn();
    const ctx = await given.contextOf(await open());
    const answers = await Promise.all([given.run(ctx, END, {}), given.run(ctx, END, {})]);
    expect(answers.map(({ data }) => data)).toEqual([{ endSession: true }, { endSession: true }]);
    const rows = await services.database.sql.query<{ endsAt: Date }>(
      'SELECT ends_at FROM workspace.ended_sessions WHERE session_id = $1',
      [ctx.caller.session!.id],
    );
    expect(rows.map(({ endsAt }) => endsAt.getTime())).toEqual([
      services.clock.now().getTime() + 13 * HOUR_MS,
    ]);
  });
});
