import type { ModelPrice } from '@loyalty/platform/config/config';
import type { Blueprint } from '../agents/agent-definition.ts';
import type { AgentRun } from './agent-run.ts';

export type Limit = 'STEPS' | 'TOKENS' | 'USD' | 'TIME';

type Used = Pick<AgentRun, 'steps' | 'tokens' | 'usdMicros' | 'deadlineAt'>;

/** Maximum number of tokens of an answer. */
const ANSWER_TOKENS = 4_096;
/** Minimum number of tokens of a useful answer. */
const ANSWER_TOKENS_MIN = 16;
/** Estimate for a conversation whose tokens are not counted yet: about four characters per token. */
const CHARACTERS_PER_TOKEN = 4;

/** Returns the limit that a run has reached before its next step; null if it has reached none. */
export function reachedLimit(
  { steps, deadlineAt }: Used,
  { loopPolicy }: Blueprint,
  now: Date,
): Limit | null {
  if (deadlineAt <= now) return 'TIME';
  return steps >= loopPolicy.maxSteps ? 'STEPS' : null;
}

/**
 * Returns the number of tokens that the budget leaves for the next answer; or the limit that leaves too few.
 */
export function tokensLeft(
  { tokens, usdMicros }: Used,
  { loopPolicy: { budget } }: Blueprint,
  { input, output }: ModelPrice,
  characters: number,
): number | Limit {
  const prompt = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const byTokens = budget.tokens - tokens - prompt;
  if (byTokens < ANSWER_TOKENS_MIN) return 'TOKENS';
  const micros = budget.usd * 1_000_000 - Number(usdMicros) - prompt * input;
  const byPrice = output === 0 ? Number.POSITIVE_INFINITY : Math.floor(micros / output);
  if (micros < 0 || byPrice < ANSWER_TOKENS_MIN) return 'USD';
  return Math.min(byTokens, byPrice, ANSWER_TOKENS);
}

/** Returns the cost of an answer in millionths of a dollar. */
export const costOf = (
  { input, output }: ModelPrice,
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
): bigint => BigInt(Math.ceil(inputTokens * input + outputTokens * output));
