/** What one call of a capability can cost, in units of the rates. */
export interface CapabilityPrice {
  /** Objective scores at most. */
  readonly scores: number;
  /** The answer may hold recommendations to act on. */
  readonly isDecision: boolean;
}

const scores = (count: number): CapabilityPrice => ({ scores: count, isDecision: false });
const decision: CapabilityPrice = { scores: 1, isDecision: true };
const free = scores(0);

/** Members of a page of `model_list_at_risk_members`, unless asked otherwise. */
export const AT_RISK_PAGE = 50;

/** Every capability by name; what is not named here cannot be called. */
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
} as const satisfies Record<string, CapabilityPrice>;

export type CapabilityName = keyof typeof capabilityPrices;
