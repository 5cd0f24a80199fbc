import type { MaximumUsage } from '../../credits/wallet/charges.ts';

const scores = (count: number): MaximumUsage => ({ scores: count, isDecision: false });
const decision: MaximumUsage = { scores: 1, isDecision: true };
const free = scores(0);

/** Default number of members in a page of `model_list_at_risk_members`. */
export const AT_RISK_PAGE = 50;

/** The maximum usage of a call with default arguments, by capability; no other name can be called. */
export const capabilityPrices = {
  model_get_consumer_state: scores(3),
  model_predict_purchase: scores(1),
  model_predict_churn: scores(1),
  model_predict_abandonment: scores(1),
  model_list_at_risk_members: scores(AT_RISK_PAGE),
  model_recommend_next_item: decision,
  model_recommend_basket: decision,
  model_get_decision_history: free,
  model_record_decision: free,
  model_record_outcome: free,
} as const satisfies Record<string, MaximumUsage>;

export type CapabilityName = keyof typeof capabilityPrices;
