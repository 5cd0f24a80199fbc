import type { ModelPrice } from '@loyalty/platform/config/config';
import { z } from 'zod';
import type { ChatCall, ChatMessage } from './agent-run.ts';

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

const TEXT_MAX = 100_000;

/** No model needs less than one token for eight characters; a server that says so is not believed. */
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

/** A server's reply as an answer; null where it is none. Calls get ids when they are taken. */
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

/** Characters of a conversation, as a model reads it. */
export const charactersOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, { content, calls = [] }) =>
      sum + content.length + calls.reduce((all, { tool, args }) => all + tool.length + args.length, 0),
    0,
  );
