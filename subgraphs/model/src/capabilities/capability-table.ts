import type { Context } from '@loyalty/platform/context';
import { getTrial } from '../alignment/applied-alignments.service.ts';
import type { RequestedHorizons } from '../standard-model/horizons.ts';
import type { StandardVersion } from '../standard-model/standard-versions.ts';
import { type SignalName, targetOf } from './aligned-signals.ts';
import { listAtRiskMembers } from './at-risk-members.service.ts';
import { AT_RISK_PAGE, type Capability, type CapabilityName, capability } from './capability.ts';
import {
  amount,
  details,
  id,
  instant,
  list,
  modelVersion,
  only,
  share,
  whole,
  word,
} from './capability-arguments.ts';
import { decisionHistory, newDecision, newOutcome } from './decision-findings.ts';
import type { Finding } from './finding.ts';
import { analyseMember, signalFinding, stateFinding } from './member-analysis.ts';
import { recommendBasket, recommendNextItem } from './recommendation-findings.ts';

const member = { member_id: id.describe('A member of the workspace, as imports map it.') };
const horizon = { horizon_days: whole(1, 365).optional() };
const version = { model_version: modelVersion };
const recommendation = { ...member, limit: whole(1, 20).default(5) };

const trial = {
  trial_version_id: id
    .optional()
    .describe(
      'A published alignment to apply in place of the live one; the only way to one of test samples.',
    ),
};

const ALIGNED = 'A published live alignment replaces the score; `standard_score` then keeps the first one.';

const WORD_MAX = 100;
const ITEM_ID_MAX = 200;

const cart = list(word(ITEM_ID_MAX), 50).describe(
  'Ids of the items in a cart. Those that nobody bought come back as `unknown_cart_items`.',
);

/** All capabilities, in the order of their list. */
const table: readonly Capability[] = [
  capability({
    name: 'model_get_consumer_state',
    description: `The state of a member: purchase, long gap and cart removal. ${ALIGNED}`,
    scope: 'predictions:read',
    schema: only({ ...member, ...version }),
    run: async (ctx, { member_id, model_version }) => {
      const analysis = await analyseMember(ctx, member_id, {
        version: model_version,
        aligned: ['purchase', 'longGap', 'cartRemoval'],
      });
      return stateFinding(member_id, analysis);
    },
  }),
  capability({
    name: 'model_predict_purchase',
    description: `Whether a member buys within the horizon, 30 days by default. ${ALIGNED}`,
    scope: 'predictions:read',
    schema: only({ ...member, ...horizon, ...version, ...trial }),
    run: (ctx, { horizon_days: purchaseDays, ...args }) =>
      oneSignal(ctx, 'purchase', args, purchaseDays ? { purchaseDays } : {}),
  }),
  capability({
    name: 'model_predict_churn',
    description: `Whether a member buys nothing within the horizon, 90 days by default. ${ALIGNED}`,
    scope: 'predictions:read',
    schema: only({ ...member, ...horizon, ...version, ...trial }),
    run: (ctx, { horizon_days: gapDays, ...args }) =>
      oneSignal(ctx, 'longGap', args, gapDays ? { gapDays } : {}),
  }),
  capability({
    name: 'model_predict_abandonment',
    description: `The share of items that a member removes from their carts again. ${ALIGNED}`,
    scope: 'predictions:read',
    schema: only({ ...member, ...version, ...trial }),
    run: (ctx, args) => oneSignal(ctx, 'cartRemoval', args, {}),
  }),
  capability({
    name: 'model_list_at_risk_members',
    description:
      'Members whose long-gap signal reaches the threshold. All pages of a run have the same cutoff.',
    scope: 'predictions:read',
    schema: only({
      run_id: id.nullish().describe('`runId` of the first page; the run is kept for 24 hours.'),
      after_member_id: id.nullish().describe('`nextCursor` of the page before.'),
      limit: whole(1, 200).default(AT_RISK_PAGE),
      threshold: share.optional().describe('Default: 0.8. Only for the first page.'),
      ...version,
    }),
    maximumFor: ({ limit }) => ({ scores: limit, isDecision: false }),
    isPaged: true,
    run: listAtRiskMembers,
  }),
  capability({
    name: 'model_recommend_next_item',
    description:
      'Items that a member may buy next: `items`, its own and then popular ones; `again`, its own; ' +
      '`new_for_you`, never bought, by what others buy with the own ones. Each with its reason.',
    scope: 'predictions:read',
    schema: only(recommendation),
    run: recommendNextItem,
  }),
  capability({
    name: 'model_recommend_basket',
    description:
      'Items that a member may buy together: `baskets`; with a `cart`, `additions` that complete it.',
    scope: 'predictions:read',
    schema: only({ ...recommendation, cart: cart.optional() }),
    run: recommendBasket,
  }),
  capability({
    name: 'model_get_decision_history',
    description: 'Recorded decisions with their outcomes, newest first.',
    scope: 'decisions:read',
    schema: only({
      member_id: id.optional(),
      limit: whole(1, 100).default(50),
      after: id.nullish().describe('`nextCursor` of the page before.'),
    }),
    isPaged: true,
    run: decisionHistory,
  }),
  capability({
    name: 'model_record_decision',
    description: 'Records what was decided about a member.',
    scope: 'decisions:write',
    schema: only({
      ...member,
      action: word(WORD_MAX),
      item_id: word(ITEM_ID_MAX).optional(),
      analysis_id: id.optional().describe('`analysis_id` of the answer that led to it.'),
      details: details.optional(),
      decided_at: instant.optional(),
    }),
    isBatchable: false,
    run: newDecision,
  }),
  capability({
    name: 'model_record_outcome',
    description: 'Records what came of a decision.',
    scope: 'decisions:write',
    schema: only({
      decision_id: id,
      outcome: word(WORD_MAX),
      value: amount.optional(),
      occurred_at: instant.optional(),
    }),
    isBatchable: false,
    run: newOutcome,
  }),
];

/** Returns one signal with the live alignment of its target, or with the trial alignment. */
async function oneSignal(
  ctx: Context,
  name: SignalName,
  {
    member_id,
    model_version: version,
    trial_version_id,
  }: {
    readonly member_id: string;
    readonly model_version?: StandardVersion | undefined;
    readonly trial_version_id?: string | undefined;
  },
  horizons: RequestedHorizons,
): Promise<Finding> {
  const trial = trial_version_id ? await getTrial(ctx, trial_version_id, targetOf[name]) : null;
  const analysis = await analyseMember(ctx, member_id, { version, horizons, aligned: [name], trial });
  return signalFinding(member_id, analysis, name);
}

export const capabilityTable: ReadonlyMap<string, Capability> = new Map(
  table.map((row): [CapabilityName, Capability] => [row.name, row]),
);
