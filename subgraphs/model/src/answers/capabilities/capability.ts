import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import type { z } from 'zod';
import type { Answered, Promised } from '../../credits/wallet/charges.ts';
import type { EvidenceItem, SignalStatus } from '../../scoring/standard-model/score.ts';
import type { CapabilityName } from './capability-prices.ts';

/** JSON as it goes out: keys in snake_case, because no door renames what is inside. */
export type Json = Readonly<Record<string, unknown>>;

/** What a capability found out, before anything is charged or kept. */
export interface Finding {
  readonly status: SignalStatus;
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
  /** Null where no model had a part in it. */
  readonly modelVersion: string | null;
  readonly data: Json | null;
  readonly answered: Answered;
  /** Of an analysis of a member, which is kept: the cutoff it is about. */
  readonly cutoff?: Date;
  /** It is all that is said of the member, and therefore its latest state. */
  readonly isState?: boolean;
}

/** A call whose arguments are fine. */
export interface PreparedCall {
  readonly name: CapabilityName;
  /** The member it is about; it must exist and may not be restricted. */
  readonly memberId: string | null;
  readonly promised: Promised;
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
  /** What a call with default arguments can bring at most. */
  readonly promised: Promised;
  /** Checks the arguments; INVALID_ARGUMENTS (400) names the one at fault. */
  readonly prepare: (args: unknown) => PreparedCall;
}

interface Declared<Args> {
  readonly name: CapabilityName;
  readonly description: string;
  readonly scope: string;
  readonly schema: z.ZodType<Args>;
  readonly promised: Promised;
  readonly isPaged?: boolean;
  readonly isBatchable?: boolean;
  /** Where the arguments decide what the call can bring. */
  readonly promise?: (args: Args) => Promised;
  readonly run: (ctx: Context, args: Args) => Promise<Finding>;
}

/** Declares a capability; its member, if it has one, is the argument `member_id`. */
export function capability<Args extends object>(declared: Declared<Args>): Capability {
  const { name, description, scope, schema, promised, promise, run } = declared;
  return {
    name,
    description,
    scope,
    schema,
    promised,
    isPaged: declared.isPaged ?? false,
    isBatchable: declared.isBatchable ?? true,
    prepare: (given) => {
      const args = readArguments(schema, given);
      const memberId = 'member_id' in args && typeof args.member_id === 'string' ? args.member_id : null;
      return { name, memberId, promised: promise?.(args) ?? promised, run: (ctx) => run(ctx, args) };
    },
  };
}

/** Names what is unknown or wrong; what was sent is not repeated, except for the name of a key. */
function readArguments<Args>(schema: z.ZodType<Args>, given: unknown): Args {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const field = SPEAKABLE_KEY.test(key) ? `arguments.${key}` : 'arguments';
    throw invalid(field, 'names an argument that does not exist; leave it out', 'INVALID_ARGUMENTS');
  }
  throw invalid(['arguments', ...issue.path].join('.'), issue.message, 'INVALID_ARGUMENTS');
}

const SPEAKABLE_KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
