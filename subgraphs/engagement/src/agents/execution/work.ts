import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import type { AgentVersion } from '../definitions/agent-definition.ts';
import type { Escalation, Skill } from '../definitions/blueprint.ts';
import type { ModelPort } from '../model-port/model.ts';
import type { NewRunEvent } from '../runs/agent-run.ts';
import {
  type ClaimedAgentRun,
  keepProgress,
  type LockedAgentRun,
  lockActiveRun,
  type RunProgress,
} from '../runs/change-runs.service.ts';
import { endRun, type RunEnd } from '../runs/end-run.service.ts';
import { type RunState, sealState } from '../runs/run-state.ts';
import type { AgentTools } from '../tools/agent-tools.ts';

/** One run in the hands of a worker. */
export interface Work {
  readonly ctx: Context;
  readonly claimed: ClaimedAgentRun;
  readonly run: LockedAgentRun;
  readonly agent: AgentVersion;
  /** The skill that it was started with. */
  readonly skill: Skill | null;
  readonly state: RunState;
  readonly port: ModelPort;
  /** Opened with the first step that needs them; or why there are none. */
  readonly tools: () => Promise<AgentTools | 'REFUSED' | 'AWAY'>;
  /** Calls that this worker itself has begun. */
  readonly begun: Set<string>;
  /** Aborted when the claim is lost, or the time of the run is over. */
  readonly signal: AbortSignal;
}

/** What a step changes beside the state. */
export type StepChange = Partial<Omit<RunProgress, 'state'>> & {
  readonly events: readonly NewRunEvent[];
  readonly state: RunState;
};

/**
 * Keeps what a step did, all of it or nothing.
 *
 * @returns false where the claim is lost: the run was taken by another worker, stopped, or has ended
 */
export async function keepStep(
  { ctx, claimed }: Pick<Work, 'ctx' | 'claimed'>,
  { events, state, ...progress }: StepChange,
): Promise<boolean> {
  const sealed = await sealState(ctx, state);
  return ctx.transaction(async (tx) => {
    if (!(await lockActiveRun(tx, claimed.id, claimed.token))) return false;
    await keepProgress(tx, claimed.id, events, { status: 'RUNNING', ...progress, state: sealed });
    return true;
  });
}

/** How long a run waits while nobody answers to its calls. */
const AWAY_MS = 10_000;

/** Lets the run wait a moment, for any worker; returns false: it goes no further now. */
export async function postpone(work: Work): Promise<false> {
  const dueAt = addMs(work.ctx.clock.now(), AWAY_MS);
  await keepStep(work, { status: 'QUEUED', dueAt, state: work.state, events: [] });
  return false;
}

/** Ends the run, unless the claim is lost. */
export async function finish(
  { ctx, claimed }: Pick<Work, 'ctx' | 'claimed'>,
  end: RunEnd,
  events: readonly NewRunEvent[] = [],
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const locked = await lockActiveRun(tx, claimed.id, claimed.token);
    if (locked) await endRun(tx, locked, end, events);
  });
}

/** Does the definition call for a person where this happens? */
export const escalates = ({ agent }: Pick<Work, 'agent'>, what: Escalation): boolean =>
  agent.blueprint.loopPolicy.escalateWhen.includes(what);

/** Ends a run that cannot go on: a person is to go on where the definition says so. */
export const giveUp = (
  work: Work,
  what: Escalation,
  outcome: string,
  events: readonly NewRunEvent[] = [],
): Promise<void> => {
  const status = escalates(work, what) ? 'ESCALATED' : 'FAILED';
  return finish(work, { status, outcome }, events);
};
