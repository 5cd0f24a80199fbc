import { daysIn } from '../../design/days.ts';
import type { CallRowFragment } from './generated/calls.ts';

/** The first is the default: calls of integrations. */
export const CALLERS = ['KEY', 'USER', 'MEMBER', 'ALL'] as const;
type Outcome = 'SUCCEEDED' | 'REFUSED' | 'FAILED';
/** What can be chosen of the outcome, and what it stands for. */
export const OUTCOMES = {
  UNSUCCESSFUL: ['REFUSED', 'FAILED'],
  REFUSED: ['REFUSED'],
  FAILED: ['FAILED'],
  SUCCEEDED: ['SUCCEEDED'],
} as const satisfies Record<string, readonly Outcome[]>;

/** The filter of the call log as its address holds it. */
export interface CallsSearch {
  readonly caller?: string | undefined;
  /** The id of an API key. */
  readonly key?: string | undefined;
  readonly outcome?: string | undefined;
  readonly request?: string | undefined;
  /** Days, YYYY-MM-DD; both are part of it. */
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

/** Whose calls are shown: a request id is looked for among all of them, unless somebody is chosen. */
export const callerOf = ({ caller, request }: CallsSearch): (typeof CALLERS)[number] =>
  CALLERS.find((each) => each === caller) ?? (request ? 'ALL' : CALLERS[0]);

/** What an address names that does not exist is left out; so is a last day before the first one. */
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

/** Does a call that has just been made belong to a list of this caller and these outcomes? */
export function isShown({ actor, status, reason }: LiveCall, conditions: CallsConditions): boolean {
  const { callerKind, outcomes } = conditions;
  if (callerKind && !actor.startsWith(`${callerKind.toLowerCase()}:`)) return false;
  let outcome: Outcome = 'REFUSED';
  if (status >= 500) outcome = 'FAILED';
  else if (status < 400 && !reason) outcome = 'SUCCEEDED';
  return outcomes === null || outcomes.includes(outcome);
}
