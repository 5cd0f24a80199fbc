import {
  MESSAGE_TYPE,
  MODEL_HEADER,
  modelId,
  readRequest,
  requestBytesMax,
  SCORE_PATH,
  versionOfId,
  writeAnswer,
} from '@loyalty/model-subgraph/standard-model/score-message';
import { scoreMembers } from '@loyalty/model-subgraph/standard-model/score-port';
import { CURRENT_VERSION, STANDARD_VERSIONS } from '@loyalty/model-subgraph/standard-model/standard-versions';
import { AppError, conflict, httpStatus } from '@loyalty/platform/base/errors';
import type { Config } from '@loyalty/platform/config/config';
import { addMetrics } from '@loyalty/platform/http/health';
import { httpServer } from '@loyalty/platform/http/http-server';
import { addReadiness } from '@loyalty/platform/http/readiness';
import { answerErrors } from '@loyalty/platform/http/unreadable-requests';
import { type SigningSecrets, verifyScoreRequest } from '@loyalty/platform/identity/caller-token';
import type { Log } from '@loyalty/platform/observe/log';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { traceRequests } from '@loyalty/platform/observe/request-spans';
import type { FastifyInstance } from 'fastify';

interface ScorerOptions {
  readonly secrets: SigningSecrets;
  readonly log: Log;
  readonly config: Pick<Config, 'METRICS_TOKEN' | 'PUBLIC_URL' | 'isProduction'>;
}

/**
 * Serves the standard model over HTTP: it receives statistics and returns scores. It stores nothing and
 * receives no ids of members. A request without a token of the product is refused.
 */
export function scorerServer({ secrets, log, config }: ScorerOptions): FastifyInstance {
  const app = httpServer(log, config, { bodyLimit: requestBytesMax });
  traceRequests(app);
  // The scorer depends on no other service, so it is always ready.
  addReadiness(app, async () => null);
  measure(app, config);
  acceptOnlyMessages(app);
  app.addHook('onRequest', async ({ headers }, reply) => {
    const version = versionOfId(headers[MODEL_HEADER]) ?? CURRENT_VERSION;
    reply.header(MODEL_HEADER, modelId(version));
  });

  app.post(
    SCORE_PATH,
    {
      // The token is checked before the body is read.
      onRequest: async ({ headers }) =>
        verifyScoreRequest(headers.authorization?.replace(/^Bearer /, ''), secrets),
    },
    async ({ headers, body }, reply) => {
      const version = versionOfId(headers[MODEL_HEADER]);
      if (!version) throw otherModel();
      const request = Buffer.isBuffer(body) ? readRequest(version, body) : null;
      if (!request) throw notReadable();
      return reply.type(MESSAGE_TYPE).send(writeAnswer(scoreMembers(request)));
    },
  );
  answerErrors(app, (_request, reply, { category, code, message }) =>
    reply.status(httpStatus[category]).send({ error: { code, message } }),
  );
  return app;
}

const otherModel = (): AppError =>
  conflict(
    'MODEL_VERSION_MISMATCH',
    `This is ${STANDARD_VERSIONS.map(modelId).join(' and ')}; the request names another model.`,
  );

const notReadable = (): AppError =>
  new AppError('BAD_USER_INPUT', 'BODY_INVALID', 'The body is no block of statistics of this version.');

function acceptOnlyMessages(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(MESSAGE_TYPE, { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.addContentTypeParser('*', (_request, _payload, done) => done(notReadable()));
}

function measure(app: FastifyInstance, config: ScorerOptions['config']): void {
  const metrics = createMetrics();
  const operation = `POST ${SCORE_PATH}`;
  metrics.knowOperations([operation]);
  app.addHook('onResponse', async ({ routeOptions }, { statusCode, elapsedTime }) => {
    if (routeOptions.url !== SCORE_PATH) return;
    const seconds = elapsedTime / 1_000;
    metrics.observeRequest({ channel: 'scorer', operation, status: statusCode, seconds });
  });
  addMetrics(app, metrics, config);
}
