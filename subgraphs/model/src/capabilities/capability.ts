import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import type { Context } from '@loyalty/platform/context';
import type { z } from 'zod';
import type { MaximumUsage } from '../credits/charges.ts';
import type { Finding } from './finding.ts';

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

/** A call with checked arguments. */
export interface PreparedCall {
  readonly name: CapabilityName;
  /** The member of the call; it must exist and may not be restricted. */
  readonly memberId: string | null;
  readonly maximum: MaximumUsage;
  readonly run: (ctx: Context) => Promise<Finding>;
}

/** A named analysis: a row of the table. */
export interface Capability {
  readonly name: CapabilityName;
  readonly description: string;
  /** The scope that a caller needs. */
  readonly scope: string;
  readonly schema: z.ZodType;
  readonly isPaged: boolean;
  readonly isBatchable: boolean;
  /** Maximum usage of a call with default arguments. */
  readonly maximum: MaximumUsage;
  /** Checks the arguments; INVALID_ARGUMENTS (400) names the invalid one. */
  readonly prepare: (args: unknown) => PreparedCall;
}

interface Declared<Args> {
  readonly name: CapabilityName;
  readonly description: string;
  readonly scope: string;
  readonly schema: z.ZodType<Args>;
  readonly isPaged?: boolean;
  readonly isBatchable?: boolean;
  /** Set if the maximum usage depends on the arguments. */
  readonly maximumFor?: (args: Args) => MaximumUsage;
  readonly run: (ctx: Context, args: Args) => Promise<Finding>;
}

/** Declares a capability; its member, if it has one, is the argument `member_id`. */
export function capability<Args extends object>(declared: Declared<Args>): Capability {
  const { name, description, scope, schema, maximumFor, run } = declared;
  const maximum = capabilityPrices[name];
  return {
    name,
    description,
    scope,
    schema,
    maximum,
    isPaged: declared.isPaged ?? false,
    isBatchable: declared.isBatchable ?? true,
    prepare: (given) => {
      const args = readArguments(schema, given);
      const memberId = 'member_id' in args && typeof args.member_id === 'string' ? args.member_id : null;
      return { name, memberId, maximum: maximumFor?.(args) ?? maximum, run: (ctx) => run(ctx, args) };
    },
  };
}

/** The error names every invalid argument and never repeats its value. */
function readArguments<Args>(schema: z.ZodType<Args>, given: unknown): Args {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  return gathered((check): never => {
    for (const issue of read.error.issues) {
      if (issue.code === 'unrecognized_keys') for (const key of issue.keys) check(() => refuseKey(key));
      const field = ['arguments', ...issue.path].join('.');
      check(() => {
        if (issue.code !== 'unrecognized_keys') throw invalid(field, issue.message, 'INVALID_ARGUMENTS');
      });
    }
    throw new TypeError('An argument is refused without an issue.');
  });
}

function refuseKey(key: string): never {
  const field = PLAIN_KEY.test(key) ? `arguments.${key}` : 'arguments';
  throw invalid(field, 'names an argument that does not exist; leave it out', 'INVALID_ARGUMENTS');
}

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
