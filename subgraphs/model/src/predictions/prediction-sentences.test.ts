import { expect, test } from '@jest/globals';
import { emailClickSentence, nextOrderSentence } from './prediction-sentences.ts';

const nextOrder = (confidence: 'LOW' | 'MEDIUM' | 'HIGH', intervalMedianDays = 20.4) => ({
  expectedNextOrderOn: '2026-03-24',
  nextOrder: {
    ...{ intervalMeanDays: 23.3, intervalMedianDays, intervalStddevDays: 15, intervalCv: 0.65 },
    ...{ purchasesUsed: 4, confidence },
    band: { fromOn: '2026-03-03', toOn: '2026-08-14' },
  },
  unavailableBecause: null,
});

test('a next order is described by its days and its confidence', () => {
  expect(nextOrderSentence(nextOrder('MEDIUM'))).toBe(
    'An order is expected by 2026-03-24: the member orders about every 20 days. Most such orders come from ' +
      '2026-03-03 to 2026-08-14. Medium confidence: the intervals of the member are few or differ.',
  );
  expect(nextOrderSentence(nextOrder('HIGH', 0.6))).toMatch(/about every 1 day\..* High confidence: /);
  expect(nextOrderSentence(nextOrder('LOW'))).toMatch(/ Low confidence: .* may have left\.$/);
});

test.each([
  ['NOT_ENOUGH_DATA', /fewer than 3 days/],
  ['SHORT_SPAN', /within a week/],
  ['LIKELY_LAPSED', /has probably left/],
  ['PROCESSING_RESTRICTED', /restricted the processing/],
] as const)('why there is none is said: %s', (unavailableBecause, words) => {
  const none = { expectedNextOrderOn: null, nextOrder: null, unavailableBecause };
  expect(nextOrderSentence(none)).toMatch(words);
});

test('a click propensity is a number of mails, or the reason', () => {
  expect(emailClickSentence({ emailClickPropensity: 0.123, emailClickUnavailableBecause: null })).toBe(
    'Of 100 campaign mails to such members, about 12 are clicked.',
  );
  expect(
    emailClickSentence({ emailClickPropensity: null, emailClickUnavailableBecause: 'NOT_FITTED_YET' }),
  ).toMatch(/first time tonight/);
});
