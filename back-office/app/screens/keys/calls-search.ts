import { daysIn } from '../../design/days.ts';
import type { CallRowFragment } from './generated/calls.ts';

/** Callers of the filter. The first is the default: calls of integrations. */
export const CALLERS = ['KEY', 'USER', 'MEMBER', 'ALL'] as const;
type Outcome = 'SUCCEEDED' | 'REFUSED' | 'FAILED';
/** Choices for the outcome, with the outcomes that each stands for. */
export const OUTCOMES = {
  UNSUCCESSFUL: ['REFUSED', 'FAILED'],
  REFUSED: ['REFUSED'],
  FAILED: ['FAILED'],
  SUCCEEDED: ['SUCCEEDED'],
} as const satisfies Record<string, readonly Outcome[]>;

/** The filter of the call log, as the address has it. */
export interface CallsSearch {
  readonly caller?: string | undefined;
  /** The id of an API key. */
  readonly key?: string | undefined;
  readonly outcome?: string | undefined;
  readonly request?: string | undefined;
  /** Days, YYYY-MM-DD, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface CallsConditions {
  readonly callerKind: 'KEY' | 'USER' | 'MEMBER' | null;
  readonly apiKeyId: string | null;
  readonly outcomes: readonly Outcome[] | null;
  readonly requestId: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Returns the caller of the filter. Default: all callers if a request id is given, otherwise integrations.
 */
export const callerOf = ({ caller, request }: CallsSearch): (typeof CALLERS)[number] =>
  CALLERS.find((each) => each === caller) ?? (request ? 'ALL' : CALLERS[0]);

/**
 * Returns the conditions of a query. Unknown values of the address are left out; so is a last day before the
 * first one.
 */
export function filterOf(search: CallsSearch): CallsConditions {
  const { key, outcome, request } = search;
  const caller = callerOf(search);
  const isKnown = outcome !== undefined && Object.hasOwn(OUTCOMES, outcome);
  return {
    callerKind: caller === 'ALL' ? null : caller,
    apiKeyId: key ?? null,
    outcomes: isKnown ? OUTCOMES[outcome as keyof typeof OUTCOMES] : null,
    requestId: request ?? null,
    ...daysIn(search),
  };
}

type LiveCall = Pick<CallRowFragment, 'actor' | 'status' | 'reason'>;

/** Does a new call match the caller and the outcomes of the filter? */
export function isShown({ actor, status, reason }: LiveCall, conditions: CallsConditions): boolean {
  const { callerKind, outcomes } = conditions;
  if (callerKind && !actor.startsWith(`${callerKind.toLowerCase()}:`)) return false;
  let outcome: Outcome = 'REFUSED';
  if (status >= 500) outcome = 'FAILED';
  else if (status < 400 && !reason) outcome = 'SUCCEEDED';
  return outcomes === null || outcomes.includes(outcome);
}
