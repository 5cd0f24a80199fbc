import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

const TRACER = 'loyalty-platform';

/**
 * Starts tracing when there is a collector; otherwise the functions here cost almost nothing and the SDK is
 * not loaded. Spans are exported in batches, and dropped when the collector is too slow for them.
 *
 * @param options.endpoint - of an OTLP/HTTP collector (OTEL_EXPORTER_OTLP_ENDPOINT), without `/v1/traces`
 * @returns `stop` exports what is left, within 5 s
 */
export async function startTelemetry(options: {
  endpoint?: string | undefined;
  serviceName: string;
}): Promise<{ tracer: Tracer; stop(): Promise<void> }> {
  if (!options.endpoint) return { tracer: trace.getTracer(TRACER), stop: async () => {} };
  const [
    { BatchSpanProcessor, TracerProvider },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { AsyncLocalStorageContextManager },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: 5_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: 2_000, exportTimeoutMillis: 5_000 }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    tracer: provider.getTracer(TRACER),
    async stop() {
      // A collector that is away must not make the stop fail.
      await provider.shutdown().catch(() => {});
      trace.disable();
      context.disable();
    },
  };
}

/**
 * Runs `fn` within a span, which ends with it; what it throws marks the span as failed and is thrown on. Only
 * the type and code of an error are recorded, since messages may hold personal data. Attributes: ids only.
 *
 * @param name - of few different values, for example `subgraph loyalty`
 */
export function span<T>(name: string, attributes: Attributes, fn: (current: Span) => Promise<T>): Promise<T> {
  return trace
    .getTracer(TRACER)
    .startActiveSpan(name, { attributes, kind: SpanKind.INTERNAL }, async (current) => {
      try {
        return await fn(current);
      } catch (error) {
        const { name: type, code } = Object(error) as { name?: unknown; code?: unknown };
        current.setAttribute('error.type', String(code ?? type ?? typeof error));
        current.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        current.end();
      }
    });
}

/** Returns the headers with the current span as W3C `traceparent`; the same headers when there is none. */
export function injectTrace(headers: Record<string, string>): Record<string, string> {
  const current = trace.getSpanContext(context.active());
  if (!current || !isSpanContextValid(current)) return headers;
  const flags = current.traceFlags.toString(16).padStart(2, '0');
  return { ...headers, traceparent: `00-${current.traceId}-${current.spanId}-${flags}` };
}

/**
 * Runs `fn` so that its spans continue the trace of the request's `traceparent`. A missing or malformed one
 * starts a trace of its own. Call it for requests of our own processes only: strangers could force sampling.
 */
export function withRemoteTrace<T>(headers: Record<string, string | string[] | undefined>, fn: () => T): T {
  const header = headers['traceparent'];
  // Later versions of the format may add parts behind the flags, version 00 may not.
  const match =
    typeof header === 'string' &&
    /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header);
  if (!match || (match[1] === '00' && match[5])) return fn();
  const remote = {
    traceId: match[2]!,
    spanId: match[3]!,
    traceFlags: Number.parseInt(match[4]!, 16) & 1,
    isRemote: true,
  };
  if (!isSpanContextValid(remote)) return fn();
  return context.with(trace.setSpanContext(ROOT_CONTEXT, remote), fn);
}
