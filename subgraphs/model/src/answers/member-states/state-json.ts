import { signalJson } from '../../scoring/standard-model/signal-json.ts';
import type { MemberState } from './member-states.service.ts';

/**
 * A state as REST answers it: what was observed by its kind, the three signals, and the envelope of a
 * capability call without what only a call has.
 *
 * @remarks Source: requirement M-STA-02
 */
export const stateJson = (state: MemberState): Record<string, unknown> => ({
  observed: Object.fromEntries(state.evidence.map(({ kind, value }) => [kind, value])),
  signals: {
    purchase: signalJson(state.purchase),
    long_gap: signalJson(state.longGap),
    cart_removal: signalJson(state.cartRemoval),
  },
  envelope: {
    status: state.status.toLowerCase(),
    evidence: state.evidence.map(({ observedAt: observed_at, ...item }) => ({ ...item, observed_at })),
    limitations: state.limitations,
    model_version: state.modelVersion,
  },
});
