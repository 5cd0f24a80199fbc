import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Config } from '../config/config.ts';
import type { Log } from '../observe/log.ts';
import { answerUnreadablePath } from './unreadable-requests.ts';

/** The settings that determine the headers of every answer. */
type Settings = Partial<Pick<Config, 'isProduction' | 'PUBLIC_URL'>>;

type Options = Pick<FastifyServerOptions, 'bodyLimit' | 'requestTimeout' | 'genReqId'>;

/**
 * Creates an HTTP server of the product. All processes log in the same form and set the same headers on every
 * answer, including errors.
 */
export function httpServer(log: Log, settings: Settings, options: Options = {}): FastifyInstance {
  const headers = answerHeaders(settings);
  const app: FastifyInstance = fastify({
    ...options,
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Hooks do not run for paths that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers);
      answerUnreadablePath(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerNoRequest(error, socket, headers),
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  return app;
}

/**
 * Forbids browsers to guess media types. In production, browsers must use HTTPS for a year after the last
 * answer; they ignore this header in answers over plain HTTP.
 */
function answerHeaders({ isProduction = false, PUBLIC_URL }: Settings): Record<string, string> {
  const isSecure = isProduction && !PUBLIC_URL?.startsWith('http:');
  return {
    'x-content-type-options': 'nosniff',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

const refusals: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large. Send less in them.'],
};

/** Answers data that is not an HTTP request. */
function answerNoRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, sentence] = refusals[error.code ?? ''] ?? [400, 'This is no HTTP request.'];
  const body = JSON.stringify({ error: sentence });
  const head = {
    'content-length': Buffer.byteLength(body),
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroy(error);
}
