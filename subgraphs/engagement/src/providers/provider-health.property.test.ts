import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { addEmailProvider, listEmailProviders } from './email-providers.service.ts';
import { mayTry, recordOutcome, stateOf, type WatchedProvider } from './provider-health.service.ts';
import { failed, type Sent } from './transport.ts';

const { services, fresh } = useServices({ isWorkspaceShared: true });

const sent: Record<'success' | 'refusal' | 'failure', Sent> = {
  success: { outcome: 'ACCEPTED', responseStatus: 200, error: null, providerMessageId: null },
  refusal: failed('REJECTED', 422, 'It refused the message.'),
  failure: failed('UNAVAILABLE', 503, 'It cannot send now.'),
};

const step = fc.record({
  outcome: fc.constantFrom<keyof typeof sent>('success', 'refusal', 'failure', 'failure', 'failure'),
  /** Seconds until the next message. */
  wait: fc.constantFrom(0, 1, 30, 59, 60, 61),
  /** Whether the message belongs to the same batch as the one before. */
  isSameBatch: fc.boolean(),
});

test('a provider is tried unless its last five tries failed, and then once a minute', async () => {
  const ctx = fresh();
  const input = { name: 'x', kind: 'RESEND', fromAddress: 'a@example.org', secret: { apiKey: 'k' } } as const;
  const read = async (): Promise<WatchedProvider> => {
    const [row] = await listEmailProviders(fresh());
    return { id: row!.id, health: row! };
  };
  await addEmailProvider(ctx, input);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      let provider = await read();
      await recordOutcome(ctx, provider, sent.success);
      let failures = 0;
      let pausedUntil = 0;
      for (const { outcome, wait, isSameBatch } of steps) {
        services.clock.advance(wait * 1_000);
        if (!isSameBatch) provider = await read();
        const now = services.clock.now().getTime();
        const isTried = failures < 5 || pausedUntil <= now;
        expect(await mayTry(ctx, provider)).toBe(isTried);
        if (!isTried) continue;
        await recordOutcome(ctx, provider, sent[outcome]);
        failures = outcome === 'failure' ? failures + 1 : 0;
        if (failures >= 5) pausedUntil = now + 60_000;
        expect(stateOf((await read()).health, services.clock.now())).toBe(failures >= 5 ? 'OPEN' : 'CLOSED');
      }
    }),
    { numRuns: 25 },
  );
});
