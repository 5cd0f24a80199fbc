import type { ModelPrice } from '@loyalty/platform/operations/config';
import type { ChatCall, ChatMessage } from '../runs/run-state.ts';

/** A tool as a model is shown it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  /** Tokens of the answer at most. */
  readonly tokensMax: number;
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  /** Empty where it only calls tools. */
  readonly text: string;
  readonly calls: readonly ChatCall[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why a model gave no answer that can be used. */
export interface ModelFailure {
  readonly failure: 'MODEL_UNAVAILABLE' | 'MODEL_ANSWER_INVALID';
}

/** What asks models. */
export interface ModelPort {
  /** The price of a model; null for one that must not be asked. */
  readonly priceOf: (model: string) => ModelPrice | null;
  /** Asks a model once; failures are values, so that the next model can be asked. */
  readonly ask: (request: ModelRequest) => Promise<ModelAnswer | ModelFailure>;
}
