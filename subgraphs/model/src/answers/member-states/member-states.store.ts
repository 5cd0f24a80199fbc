import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { SignalStatus } from '../../scoring/standard-model/standard-state.ts';
import type { ResultEnvelope } from '../capabilities/capability-result.ts';

/** The JSON of `state`: what `model_get_consumer_state` answered. */
export interface SavedState {
  readonly envelope: Pick<ResultEnvelope, 'limitations'> & {
    readonly evidence: readonly {
      readonly kind: string;
      readonly value: unknown;
      readonly observedAt: string | null;
    }[];
    readonly modelVersion: string;
  };
  readonly data: Readonly<Record<'purchase' | 'long_gap' | 'cart_removal', SavedSignal>>;
}

export interface SavedSignal {
  readonly score: number | null;
  readonly status: string;
  readonly horizon_days: number | null;
  readonly reasons: readonly string[];
}

export interface SavedStateRow {
  readonly memberId: string;
  readonly status: SignalStatus;
  readonly state: SavedState;
  readonly jobId: string | null;
  readonly sourceCutoff: Date;
  readonly updatedAt: Date;
}

/** The latest states of those members that have one. */
export async function statesOf(ctx: Context, memberIds: readonly string[]): Promise<SavedStateRow[]> {
  return ctx.sql.query<SavedStateRow>(
    `SELECT member_id AS "memberId", status, state, job_id AS "jobId", source_cutoff AS "sourceCutoff",
            updated_at AS "updatedAt"
       FROM model.member_states
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );
}
