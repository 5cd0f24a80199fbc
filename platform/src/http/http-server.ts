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

/** What the headers of every answer depend on. */
type Settings = Partial<Pick<Config, 'isProduction' | 'PUBLIC_URL'>>;

type Options = Pick<FastifyServerOptions, 'bodyLimit' | 'requestTimeout' | 'genReqId'>;

/**
 * A server of the product, of whatever process: all of them log alike and have the same headers on every
 * answer, errors included.
 */
export function httpServer(log: Log, settings: Settings, options: Options = {}): FastifyInstance {
  const headers = answerHeaders(settings);
  const app: FastifyInstance = fastify({
    ...options,
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Hooks do not run for paths that cannot be read.
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
 * No browser reads an answer as another type than it has. In production browsers come by HTTPS only, for a
 * year from the last answer; they ignore that where the answer itself came without it.
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

/** Answers what is no HTTP request. */
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
