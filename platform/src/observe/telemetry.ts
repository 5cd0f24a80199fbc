import { context, trace } from '@opentelemetry/api';
import { setTracing } from './spans.ts';
import { traceStatements } from './statement-spans.ts';

/**
 * Starts tracing if there is a collector. Without one, tracing costs almost nothing and the SDK is not
 * loaded. Spans are exported in batches; they are dropped if the collector is too slow.
 *
 * @param options.endpoint - OTLP/HTTP collector (OTEL_EXPORTER_OTLP_ENDPOINT), without `/v1/traces`
 * @returns `stop`, which exports the remaining spans within 5 s
 */
export async function startTelemetry(options: {
  endpoint?: string | undefined;
  serviceName: string;
}): Promise<{ stop(): Promise<void> }> {
  if (!options.endpoint) return { stop: async () => {} };
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
  setTracing(true);
  const unsubscribe = traceStatements();
  return {
    async stop() {
      setTracing(false);
      unsubscribe();
      // An unreachable collector must not make the stop fail.
      await provider.shutdown().catch(() => {});
      trace.disable();
      context.disable();
    },
  };
}
