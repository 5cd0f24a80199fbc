import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, invalid } from '@loyalty/platform/base/errors';
import { notEmpty } from '@loyalty/platform/base/input-rules';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { keyReused } from '@loyalty/platform/identity/idempotency';
import '@loyalty/platform/http/request-bodies';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import {
  AppendImportDocument,
  CancelImportDocument,
  GetImportStateDocument,
  StartImportDocument,
} from '#generated/graphql';
import { appErrorOf } from '../errors.ts';
import type { GraphClient, GraphReply } from '../graph-client.ts';
import { readVariables } from '../input.ts';
import type { Row } from '../table/row.ts';
import type { RowOperation } from '../table/row-operation.ts';
import { FILE_TYPES, type ImportFile, importFileOf, JSON_BODY_MAX, partsOf } from './import-file.ts';

/** Parts that are sent to the graph at the same time. */
const PARTS_IN_FLIGHT = 3;
const TRIES_MAX = 10;
const WAIT_MAX_SECONDS = 60;

interface UploadRow {
  readonly row: Row;
  /** The operation that creates the import. The later steps are the same for every kind of import. */
  readonly operation: RowOperation;
  readonly shape: (data: Record<string, unknown>) => unknown;
  readonly graph: GraphClient;
  readonly refuse: (request: FastifyRequest) => Promise<void>;
}

/**
 * Serves a row whose body may be a file. The file is sent to the graph in parts while it arrives, and it is
 * read only as fast as the graph accepts parts. Memory therefore holds only a few parts, however large the
 * file is. A file in a JSON body is read as a whole first.
 */
export function addUpload(app: FastifyInstance, upload: UploadRow): void {
  const { row, refuse } = upload;
  const importUpload: FastifyPluginAsync = async (scope) => {
    scope.addContentTypeParser(Object.keys(FILE_TYPES), (_request, payload, done) => done(null, payload));
    scope.route({
      method: row.method,
      url: row.path,
      bodyLimit: JSON_BODY_MAX,
      onRequest: refuse,
      handler: (request, reply) => receive(upload, request, reply),
    });
  };
  app.register(namedPlugin(importUpload));
}

async function receive(
  { row, operation, shape, graph }: UploadRow,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = importFileOf(request, row.fileField!);
  // Rows as parsed objects take ten times as much memory as the text of the file. They are not needed any
  // more.
  request.body = null;
  const body = { format: file.format.toLowerCase(), ...settingsOf(file) };
  const variables = readVariables(row, operation, { params: {}, query: {}, body });
  const run = (query: string, name: string, given: Record<string, unknown>, from: FastifyRequest) =>
    withRetries(operation, () => graph.execute({ query, operationName: name, variables: given }, from));
  const created = await run(row.document, operation.name, variables, request);
  // Only a caller who may create an import gets more time to send the body.
  request.extendBodyTime?.();
  const { id } = created.data!['data'] as { id: string };
  if (created.headers) reply.headers(created.headers);
  const isKeyed = request.headers['idempotency-key'] !== undefined;
  const steps = stepsOf(keyless(request), run, isKeyed);
  try {
    // A repeated call gets the import of the first call. If that import already has its file, this file is
    // only compared with it.
    const isSent = isKeyed && !(await steps.isUploading(id));
    await steps.start(id, await sendParts(file, isSent ? async () => {} : steps.append(id)));
    return reply.status(202).send(shape({ data: { id, status: 'QUEUED' } }));
  } catch (error) {
    if (!isKeyed) await steps.cancel(id).catch(() => {});
    throw error;
  }
}

function settingsOf({ mapping, onDuplicate }: ImportFile): Record<string, unknown> {
  return {
    ...(mapping !== undefined && { mapping }),
    ...(onDuplicate !== undefined && { onDuplicate }),
  };
}

type RunOperation = (
  query: string,
  name: string,
  given: Record<string, unknown>,
  from: FastifyRequest,
) => Promise<GraphReply>;

const stepsOf = (request: FastifyRequest, run: RunOperation, isKeyed: boolean) => ({
  append: (id: string) => async (part: number, bytes: Buffer) => {
    const given = { id, part, data: bytes.toString('base64'), replace: !isKeyed };
    try {
      await run(AppendImportDocument.toString(), 'AppendImport', given, request);
    } catch (error) {
      const code = isKeyed && error instanceof AppError ? error.code : null;
      if (code === 'IMPORT_PART_DIFFERS') throw keyReused();
      // The same call was sent twice at the same time, and the other one was faster. The final step checks
      // that both sent the same file.
      if (code !== 'IMPORT_STARTED') throw error;
    }
  },
  async isUploading(id: string): Promise<boolean> {
    const { data } = await run(GetImportStateDocument.toString(), 'GetImportState', { id }, request);
    return (data!['data'] as { status: string }).status === 'UPLOADING';
  },
  start: (id: string, sent: { readonly parts: number; readonly sha256: string }) =>
    run(StartImportDocument.toString(), 'StartImport', { id, ...sent }, request),
  cancel: (id: string) => run(CancelImportDocument.toString(), 'CancelImport', { id }, request),
});

/** Sends the parts, a few at the same time. Returns their number and the SHA-256 of the file. */
async function sendParts(
  file: ImportFile,
  append: (part: number, bytes: Buffer) => Promise<void>,
): Promise<{ parts: number; sha256: string }> {
  const hash = createHash('sha256');
  const underWay: Promise<void>[] = [];
  let count = 0;
  for await (const bytes of partsOf(file.chunks)) {
    hash.update(bytes);
    const sending = append(count, bytes);
    // The promise is awaited below. A failure is thrown there.
    sending.catch(() => {});
    underWay.push(sending);
    count += 1;
    if (underWay.length >= PARTS_IN_FLIGHT) await underWay.shift();
  }
  await Promise.all(underWay);
  if (count === 0) throw invalid('content', notEmpty);
  return { parts: count, sha256: hash.digest('hex') };
}

/** Retries a step while the graph is busy. This is safe, because all steps are idempotent. */
async function withRetries(operation: RowOperation, ask: () => Promise<GraphReply>): Promise<GraphReply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask();
    const [error] = reply.errors ?? [];
    if (!error) return reply;
    const { code, retryAfterSeconds } = error.extensions ?? {};
    const isBusy = code === 'RATE_LIMITED' || code === 'UNAVAILABLE' || retryAfterSeconds !== undefined;
    if (!isBusy || tries >= TRIES_MAX) throw appErrorOf(error, operation);
    await delay(Math.min(Number(retryAfterSeconds ?? 1), WAIT_MAX_SECONDS) * 1_000);
  }
}

/** Returns the request without its Idempotency-Key, which is only for the step that creates the import. */
function keyless(request: FastifyRequest): FastifyRequest {
  const { 'idempotency-key': _, ...headers } = request.headers;
  return Object.create(request, { headers: { value: headers } }) as FastifyRequest;
}
