import type { ModelPrice } from '@loyalty/platform/config/config';
import { z } from 'zod';
import type { ChatCall, ChatMessage } from './agent-run.ts';

/** A tool in the form for a model. */
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
  /** Maximum number of tokens of the answer. */
  readonly tokensMax: number;
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  /** Empty if the model only calls tools. */
  readonly text: string;
  readonly calls: readonly ChatCall[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The failure of a model. */
export interface ModelFailure {
  readonly failure: 'MODEL_UNAVAILABLE' | 'MODEL_ANSWER_INVALID';
}

/** The port through which models are asked. */
export interface ModelPort {
  /** Returns the price of a model; null if the model must not be used. */
  readonly priceOf: (model: string) => ModelPrice | null;
  /** Asks a model once. Failures are returned, so that the next model can be asked. */
  readonly ask: (request: ModelRequest) => Promise<ModelAnswer | ModelFailure>;
}

const TEXT_MAX = 100_000;

/**
 * Plausibility limit: models need at least one token for eight characters. Lower counts of a server are not
 * trusted.
 */
const CHARACTERS_PER_TOKEN_MAX = 8;

const count = z.int().min(0).max(100_000_000).catch(0);

const replySchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().max(TEXT_MAX).nullish(),
          tool_calls: z
            .array(
              z.object({
                function: z.object({ name: z.string().max(200), arguments: z.string().max(TEXT_MAX) }),
              }),
            )
            .max(64)
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
});

/** Parses the response of a server; null if it is invalid. Calls receive their ids later. */
export function readAnswer(reply: unknown, messages: readonly ChatMessage[]): ModelAnswer | null {
  const { data } = replySchema.safeParse(reply);
  if (!data) return null;
  const { content, tool_calls: wanted } = data.choices[0]!.message;
  const calls = (wanted ?? []).map((call) => ({
    id: '',
    tool: call.function.name,
    args: call.function.arguments,
  }));
  const text = content ?? '';
  if (text.trim() === '' && calls.length === 0) return null;
  const written = text.length + calls.reduce((sum, { tool, args }) => sum + tool.length + args.length, 0);
  return {
    text,
    calls,
    inputTokens: Math.max(data.usage?.prompt_tokens ?? 0, leastTokens(charactersOf(messages))),
    outputTokens: Math.max(data.usage?.completion_tokens ?? 0, leastTokens(written)),
  };
}

const leastTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN_MAX);

/** Returns the number of characters of a conversation. */
export const charactersOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, { content, calls = [] }) =>
      sum + content.length + calls.reduce((all, { tool, args }) => all + tool.length + args.length, 0),
    0,
  );
