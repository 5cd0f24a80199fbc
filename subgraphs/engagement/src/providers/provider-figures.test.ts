import { expect, test } from '@jest/globals';
import { NO_ID, newId } from '@loyalty/platform/base/ids';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { sentMessage } from '../notices/notices.fixture.ts';
import { engagement } from '../subgraph.ts';
import { addEmailProvider } from './email-providers.service.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const add = async () =>
  (
    await addEmailProvider(ctx, {
      name: 'one',
      kind: 'RESEND',
      fromAddress: 'shop@example.org',
      secret: { apiKey: 'key' },
    })
  ).id;

/** Inserts attempts with these outcomes and durations of 10, 20, 30 … ms. */
async function attempts(providerId: string | null, outcomes: readonly string[], hoursAgo = 0) {
  const { id } = await sentMessage(ctx, 'ada@example.com', { id: NO_ID, messageId: newId(ctx.clock) });
  await ctx.sql.query(
    `INSERT INTO engagement.message_attempts
       (workspace_id, mode, message_id, number, provider_id, provider_kind, started_at, duration_ms, outcome)
     SELECT $1, 'LIVE', $2, n, $3, 'X', $5, n * 10, o::engagement."MessageAttemptOutcome"
       FROM unnest($4::text[]) WITH ORDINALITY AS w(o, n)`,
    [
      ctx.scope.workspaceId,
      id,
      providerId,
      outcomes,
      new Date(services.clock.now().getTime() - hoursAgo * 3_600_000),
    ],
  );
}

const FIGURES = `query ($hours: Int) { emailProviders { figures(hours: $hours) {
  attempts accepted rejected unavailable p50Ms p95Ms } } }`;
const figures = async (hours: number, of = fresh()) => {
  const { data } = await ask(of, FIGURES, { hours });
  return data.emailProviders.map((provider: { figures: object }) => provider.figures);
};

test('figures count what became of the attempts of each provider, and how long they took', async () => {
  const one = await add();
  await attempts(one, ['ACCEPTED', 'ACCEPTED', 'REJECTED', 'UNAVAILABLE', 'CREDENTIALS']);
  await attempts(one, ['ACCEPTED'], 30);
  await attempts(null, ['ACCEPTED', 'REJECTED']);
  expect(await figures(24)).toEqual([
    { attempts: 5, accepted: 2, rejected: 1, unavailable: 2, p50Ms: 30, p95Ms: 48 },
    { attempts: 2, accepted: 1, rejected: 1, unavailable: 0, p50Ms: 15, p95Ms: 20 },
  ]);
  expect(await figures(48)).toMatchObject([{ attempts: 6 }, { attempts: 2 }]);
  expect(await figures(24, fresh({ mode: 'TEST' }))).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  expect(await figures(24, newContext())).toMatchObject([{ attempts: 0 }]);
});

test('figures of ten providers cost as many statements as those of one', async () => {
  await add();
  services.statements.length = 0;
  await figures(24);
  const ofOne = services.statements.length;
  for (let more = 0; more < 9; more += 1) await add();
  services.statements.length = 0;
  expect(await figures(24)).toHaveLength(11);
  expect(services.statements).toHaveLength(ofOne);
});

test.each([0, 721])('figures of %s hours are refused', async (hours) => {
  expect(await ask(fresh(), FIGURES, { hours })).toMatchObject({
    code: 'BAD_USER_INPUT',
    message: 'hours must be between 1 and 720.',
  });
});
