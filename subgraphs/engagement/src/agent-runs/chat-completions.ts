import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { Config } from '@loyalty/platform/config/config';
import { createPoster, type HttpAnswer, type Poster } from '@loyalty/platform/outbound/http-post';
import type { ChatMessage } from './agent-run.ts';
import {
  type ModelAnswer,
  type ModelFailure,
  type ModelPort,
  type ModelRequest,
  type OfferedTool,
  readAnswer,
} from './model.ts';

const ANSWER_BYTES_MAX = 2 * 1024 * 1024;
/** Delays before the second and the third attempt, if the server gives no time. */
const PAUSES_MS = [500, 2_000];
const PAUSE_MAX_MS = 20 * SECOND_MS;

/** HTTP clients of this process, by URL. */
const posters = new Map<string, Poster>();

/** Asks a server with the Chat Completions API, which most model servers have. */
export function chatCompletions(config: Config): ModelPort {
  const { AGENT_MODEL_URL = '', AGENT_MODEL_KEY, AGENT_MODEL_PRICES, AGENT_MODEL_TIMEOUT_MS } = config;
  const url = `${AGENT_MODEL_URL.replace(/\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    ...(AGENT_MODEL_KEY !== undefined && { authorization: `Bearer ${AGENT_MODEL_KEY}` }),
  };
  return {
    priceOf: (model) => AGENT_MODEL_PRICES.get(model) ?? null,
    async ask(request) {
      const body = JSON.stringify(bodyOf(request));
      for (let attempt = 0; ; attempt += 1) {
        const answer = await posterTo(url, AGENT_MODEL_TIMEOUT_MS)
          .post(body, headers, request.signal)
          .catch(() => null);
        const pause = pauseAfter(answer, PAUSES_MS[attempt]);
        if (pause === null || request.signal.aborted) return read(answer, request);
        await sleep(pause);
      }
    },
  };
}

function posterTo(url: string, timeoutMs: number): Poster {
  const key = `${url} ${timeoutMs}`;
  const known = posters.get(key) ?? createPoster(url, { timeoutMs, answerBytesMax: ANSWER_BYTES_MAX });
  posters.set(key, known);
  return known;
}

/**
 * Returns the delay before the next attempt, in milliseconds; null if another attempt is useless or none is
 * left.
 */
function pauseAfter(answer: HttpAnswer | null, pauseMs: number | undefined): number | null {
  const isRetried = answer === null || answer.status === 429 || answer.status >= 500;
  if (!isRetried || pauseMs === undefined) return null;
  const seconds = Number(answer?.headers['retry-after']);
  return seconds > 0 ? Math.min(seconds * SECOND_MS, PAUSE_MAX_MS) : pauseMs;
}

/** Reads a response. It is never logged, because it may quote the conversation. */
function read(answer: HttpAnswer | null, { messages }: ModelRequest): ModelAnswer | ModelFailure {
  if (answer?.status !== 200) return { failure: 'MODEL_UNAVAILABLE' };
  try {
    const reply: unknown = JSON.parse(answer.body.toString());
    return readAnswer(reply, messages) ?? { failure: 'MODEL_ANSWER_INVALID' };
  } catch {
    return { failure: 'MODEL_ANSWER_INVALID' };
  }
}

const bodyOf = ({ model, messages, tools, tokensMax }: ModelRequest) => ({
  model,
  messages: messages.map(toParam),
  max_completion_tokens: tokensMax,
  ...(tools.length > 0 && { tools: tools.map(toFunction) }),
});

const toFunction = ({ name, description, parameters }: OfferedTool) => ({
  type: 'function',
  function: { name, description, parameters },
});

function toParam({ role, content, calls = [], callId }: ChatMessage) {
  const wanted = calls.map(({ id, tool, args }) => ({
    id,
    type: 'function',
    function: { name: tool, arguments: args },
  }));
  return {
    role,
    content,
    ...(callId !== undefined && { tool_call_id: callId }),
    ...(wanted.length > 0 && { tool_calls: wanted }),
  };
}
