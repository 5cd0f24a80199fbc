import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { predictLogistic } from '../numerics/logistic.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { type EmailSamples, fitEmailClicks } from './email-clicks.ts';
import { historiesOf, rawOf, type TimedEmail, writeFeatures } from './email-history.ts';

/** Simulates members: half of them click 3 of 10 mails and the others 3 of 100; only the past shows which. */
function simulated({ members = 400, sends = 7, seed = 11 } = {}): EmailSamples {
  const random = seededRandom(seed);
  const samples = {
    memberIds: [] as string[],
    raw: [] as number[],
    opened: [] as number[],
    clicked: [] as number[],
  };
  for (let member = 0; member < members; member += 1) {
    const rate = member % 2 === 0 ? 0.3 : 0.03;
    const mails = Array.from({ length: sends }, (_, n): TimedEmail => {
      const sentMs = n * 7 * DAY_MS;
      const isClicked = random() < rate;
      const touchedMs = isClicked || random() < rate ? sentMs + DAY_MS : null;
      return { sentMs, sentDay: n * 7, openedMs: touchedMs, clickedMs: isClicked ? touchedMs : null };
    });
    historiesOf(mails, []).forEach((history, n) => {
      const mail = mails[n]!;
      samples.memberIds.push(`member-${member}`);
      samples.raw.push(...rawOf(history, { ms: mail.sentMs, day: mail.sentDay }));
      samples.opened.push(Number(mail.openedMs !== null));
      samples.clicked.push(Number(mail.clickedMs !== null));
    });
  }
  return samples;
}

function permuted<T>(values: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

describe('the fit', () => {
  test('ranks who clicked above who did not', () => {
    const fit = fitEmailClicks(simulated());
    if (fit.gap !== null) throw new Error(fit.gap);
    const chance = (opens: number, clicks: number) => {
      const features: number[] = [];
      writeFeatures([8, opens, clicks, clicks > 0 ? 6 : 365, 56, 730, 0], fit.rates, features);
      return predictLogistic(fit.model, features);
    };
    expect(chance(4, 3)).toBeGreaterThan(2 * chance(0, 0));
    expect(chance(0, 0)).toBeLessThan(0.12);
    expect(fit.gainAtLeast).toBeGreaterThan(0);
    expect(fit.gain).toBeGreaterThan(fit.gainAtLeast);
  });

  test('is none where clicks do not follow from the past', () => {
    const samples = simulated();
    for (const seed of [1, 2, 3]) {
      const shuffled = { ...samples, clicked: permuted(samples.clicked, seed) };
      expect(fitEmailClicks(shuffled)).toEqual({ gap: 'NO_BETTER_THAN_BASE_RATE' });
    }
  });

  test.each([
    ['999 mails', { members: 333, sends: 3 }, (samples: EmailSamples) => samples],
    ['299 members', { members: 299, sends: 12 }, (samples: EmailSamples) => samples],
    [
      '99 clicks',
      {},
      (samples: EmailSamples) => ({ ...samples, clicked: samples.clicked.map((_, n) => Number(n < 99)) }),
    ],
    [
      '99 mails without a click',
      {},
      (samples: EmailSamples) => ({ ...samples, clicked: samples.clicked.map((_, n) => Number(n >= 99)) }),
    ],
  ])('is none with %s', (_, size, changed) => {
    expect(fitEmailClicks(changed(simulated(size)))).toEqual({ gap: 'TOO_FEW_SENDS' });
  });

  test('is the same for the same mails', () => {
    expect(fitEmailClicks(simulated())).toEqual(fitEmailClicks(simulated()));
  });
});

describe('a history', () => {
  const mail = (day: number, opened: number | null = null, clicked: number | null = null): TimedEmail => ({
    sentMs: day * DAY_MS,
    sentDay: day,
    openedMs: opened === null ? null : opened * DAY_MS,
    clickedMs: clicked === null ? null : clicked * DAY_MS,
  });

  test('holds only what was before the mail was sent', () => {
    const mails = [mail(10, 11, 21), mail(20, 20.5), mail(20), mail(30)];
    const [first, second, third, fourth] = historiesOf(mails, [5, 20, 35]);
    expect(first).toEqual({
      ...{ sends: 0, opens: 0, clicks: 0, lastTouchMs: null, firstSendDay: null, decayedOrders: 1 },
      ...{ firstPurchaseDay: 5, lastPurchaseDay: 5 },
    });
    expect(second).toEqual({
      ...{ sends: 1, opens: 1, clicks: 0, lastTouchMs: 11 * DAY_MS, firstSendDay: 10, decayedOrders: 1 },
      ...{ firstPurchaseDay: 5, lastPurchaseDay: 5 },
    });
    expect(third).toEqual(second);
    expect(fourth).toMatchObject({
      ...{ sends: 3, opens: 2, clicks: 1, lastTouchMs: 21 * DAY_MS, lastPurchaseDay: 20 },
      decayedOrders: 1 + 2 ** (-15 / 30),
    });
  });

  test('becomes numbers that end at their bounds', () => {
    const [history] = historiesOf([mail(900)], [40]);
    expect(rawOf(history!, { ms: 900 * DAY_MS, day: 900 })).toEqual([
      ...[0, 0, 0, 365, 860, 730],
      expect.closeTo(2 ** (-860 / 30), 12),
    ]);
    const features: number[] = [];
    writeFeatures([30, 10, 5, 0, 0, 0, 2], { open: 0.2, click: 0.1 }, features);
    expect(features).toEqual([Math.log(31), 12 / 40, 6 / 40, 0, 0, 0, 2]);
  });
});
