import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP sends it in JSON. */
export interface ExportedSpan {
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly events?: readonly unknown[];
}

/** An OpenTelemetry collector over OTLP/HTTP that keeps the spans it receives. */
export interface Collector {
  readonly endpoint: string;
  readonly spans: readonly ExportedSpan[];
  /** The attributes of the resources that sent spans. */
  readonly resources: readonly unknown[];
  /** The bodies of all requests. */
  exported(): string;
  close(): void;
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: ExportedSpan[] = [];
  const resources: unknown[] = [];
  let exported = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    exported += body;
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      resources.push(...resource.attributes);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.statusCode = request.url === '/v1/traces' ? 200 : 404;
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    exported: () => exported,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
