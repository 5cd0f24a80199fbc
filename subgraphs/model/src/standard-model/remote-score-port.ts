import type { Services } from '@loyalty/platform/context';
import { type SigningSecrets, signScoreRequest } from '@loyalty/platform/identity/caller-token';
import { injectTrace } from '@loyalty/platform/observe/spans';
import { createCircuit } from '@loyalty/platform/outbound/circuit';
import { createPoster, type HttpAnswer } from '@loyalty/platform/outbound/http-post';
import {
  answerBytesMax,
  MESSAGE_TYPE,
  MODEL_HEADER,
  modelId,
  readAnswer,
  SCORE_PATH,
  writeRequest,
} from './score-message.ts';
import {
  ModelPaused,
  modelUnavailable,
  type ScoreAnswer,
  type ScorePort,
  type ScoreRequest,
} from './score-request.ts';

interface RemoteScorePortOptions {
  /** The scorer's address. */
  readonly url: string;
  /** The secrets that sign each request. */
  readonly secrets: SigningSecrets;
  /** From the request to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** There is no answer; the caller may retry after this many seconds. */
interface NoAnswer {
  readonly retryAfterSeconds: number;
  readonly isSent: boolean;
}

type Outcome = ScoreAnswer | NoAnswer;

const isMissing = (outcome: unknown): outcome is NoAnswer => !('scores' in (outcome as Outcome));

/**
 * The model in another process, called over kept-alive connections. A failed call is not repeated. A scorer
 * that keeps failing, or has another version, gets no calls for a while.
 */
export function remoteScorePort(
  { url, secrets, ...limits }: RemoteScorePortOptions,
  { log, metrics }: Pick<Services, 'log' | 'metrics'>,
): ScorePort {
  const poster = createPoster(url.replace(/\/$/, '') + SCORE_PATH, { ...limits, answerBytesMax });
  const through = createCircuit<NoAnswer>({
    isAway: isMissing,
    whilePaused: (retryAfterSeconds) => ({ retryAfterSeconds, isSent: false }),
    onChange(state) {
      metrics.scorerCircuit.set(state.level);
      log.warn({ circuit: state.name }, 'circuit of the scorer changed');
    },
  });

  async function send(request: ScoreRequest, signal: AbortSignal | undefined): Promise<Outcome> {
    const body = writeRequest(request);
    const ended = metrics.scorerSeconds.startTimer();
    try {
      const expected = modelId(request.options.version);
      const headers = await headersOf(secrets, expected);
      const answer = read(await poster.post(body, headers, signal), expected, request.members.size);
      ended({ outcome: 'answered' });
      return answer;
    } catch (error) {
      ended({ outcome: 'failed' });
      if (!signal?.aborted) log.warn({ err: error }, 'scorer is away');
      return { retryAfterSeconds: 1, isSent: true };
    }
  }

  return {
    async score(request, signal) {
      const outcome = await through(() => send(request, signal), signal);
      if (!isMissing(outcome)) return outcome;
      const { isSent, retryAfterSeconds } = outcome;
      throw isSent ? modelUnavailable(retryAfterSeconds) : new ModelPaused(retryAfterSeconds);
    },
  };
}

const headersOf = async (secrets: SigningSecrets, model: string) =>
  injectTrace({
    'content-type': MESSAGE_TYPE,
    authorization: `Bearer ${await signScoreRequest(secrets)}`,
    [MODEL_HEADER]: model,
  });

/** @throws Error naming the reason why it is no answer of the expected model */
function read({ status, headers, body }: HttpAnswer, expected: string, size: number): ScoreAnswer {
  const model = headers[MODEL_HEADER];
  if (status === 200 || status === 409) {
    if (model !== expected) throw new Error(`The scorer is ${model ?? 'no model'}, expected is ${expected}.`);
  }
  if (status !== 200) throw new Error(`The scorer answered ${status}.`);
  const answer = readAnswer(body, size);
  if (!answer) throw new Error(`The scorer sent no scores of ${size} members.`);
  return answer;
}
