import type {
  EmailClickPrediction,
  NextOrderPrediction,
  PredictionGap,
} from './member-predictions.service.ts';
import type { NextOrder } from './next-order.ts';

const gaps: Readonly<Record<PredictionGap, string>> = {
  NOT_ENOUGH_DATA: 'No day can be given yet: the member bought on fewer than 3 days.',
  SHORT_SPAN: 'No day can be given yet: all purchases of the member lie within a week.',
  LIKELY_LAPSED: 'No order is expected: the member has been silent for so long that it has probably left.',
  TOO_FEW_SENDS: 'Not known yet: too few campaign mails were sent to judge by.',
  NO_BETTER_THAN_BASE_RATE: 'Not known: in this workspace, what members did before does not say who clicks.',
  NOT_FITTED_YET: 'Not known yet: it is worked out for the first time tonight.',
  PROCESSING_RESTRICTED: 'Not worked out: the member restricted the processing of their data.',
};

const confidences: Readonly<Record<NextOrder['confidence'], string>> = {
  HIGH: 'High confidence: the member has ordered at least 7 times, at intervals that are much alike.',
  MEDIUM: 'Medium confidence: the intervals of the member are few or differ.',
  LOW: 'Low confidence: the member has ordered seldom, or may have left.',
};

/** Describes the next order in words for people who plan campaigns; dates are YYYY-MM-DD. */
export function nextOrderSentence(prediction: NextOrderPrediction): string {
  const { expectedNextOrderOn, nextOrder, unavailableBecause } = prediction;
  if (!nextOrder || !expectedNextOrderOn) return gaps[unavailableBecause!];
  const { intervalMedianDays, band, confidence } = nextOrder;
  const days = Math.max(Math.round(intervalMedianDays), 1);
  return (
    `An order is expected by ${expectedNextOrderOn}: the member orders about every ${days} ` +
    `${days === 1 ? 'day' : 'days'}. Most such orders come from ${band.fromOn} to ${band.toOn}. ` +
    confidences[confidence]
  );
}

/** Describes the chance of a click in words for people who plan campaigns. */
export function emailClickSentence(prediction: EmailClickPrediction): string {
  const { emailClickPropensity, emailClickUnavailableBecause } = prediction;
  if (emailClickPropensity === null) return gaps[emailClickUnavailableBecause!];
  const inHundred = Math.round(emailClickPropensity * 100);
  return `Of 100 campaign mails to such members, about ${inHundred} are clicked.`;
}
