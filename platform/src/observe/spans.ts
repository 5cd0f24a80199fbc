import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const TRACER = 'loyalty-platform';
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

let isTracing = false;

/**
 * Switches tracing on or off for this process. While it is off, the functions here only run their callbacks.
 */
export function setTracing(isOn: boolean): void {
  isTracing = isOn;
}

/** Kind and attributes of a span, in the terms of OpenTelemetry; never personal data. */
export interface SpanOptions {
  readonly kind?: keyof typeof SpanKind;
  readonly attributes?: Attributes;
}

/**
 * Runs `fn` within a span. An error of `fn` marks the span as failed and is rethrown. Only type and code of
 * an error are recorded, because messages may contain personal data.
 *
 * @param name - with few different values, for example `subgraph loyalty`
 */
export function span<T>(name: string, options: SpanOptions, fn: (current: Span) => Promise<T>): Promise<T> {
  if (!isTracing) return fn(noSpan);
  return startActive(name, options, async (current) => {
    try {
      return await fn(current);
    } catch (error) {
      failSpan(current, error);
      throw error;
    } finally {
      current.end();
    }
  });
}

/**
 * Like `span`, but only within an existing trace. A process's own activity, such as polling a queue, makes no
 * span.
 */
export const childSpan: typeof span = (name, options, fn) =>
  isTracing && trace.getActiveSpan() ? span(name, options, fn) : fn(noSpan);

/** Starts a span of the active context, which the caller must end; null if nothing is traced. */
export function startChild(name: string, { kind = 'INTERNAL', attributes = {} }: SpanOptions): Span | null {
  if (!isTracing || !trace.getActiveSpan()) return null;
  return trace.getTracer(TRACER).startSpan(name, { kind: SpanKind[kind], attributes });
}

/** Runs `fn` within a span that `fn`, or code that it starts, must end. */
export function startActive<T>(name: string, options: SpanOptions, fn: (current: Span) => T): T {
  const { kind = 'INTERNAL', attributes = {} } = options;
  return trace.getTracer(TRACER).startActiveSpan(name, { attributes, kind: SpanKind[kind] }, fn);
}

/** Runs `fn` within a span that was started before. */
export const within = <T>(current: Span, fn: () => T): T =>
  context.with(trace.setSpan(context.active(), current), fn);

/**
 * Returns the span attributes of a message.
 *
 * @param destination - event type or job name
 */
export const messagingAttributes = (operation: 'send' | 'process', destination: string): Attributes => ({
  'messaging.system': 'postgresql',
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': destination,
});

/** Marks a span as failed, with type and code of the error. */
export function failSpan(current: Span, error: unknown): void {
  const { name: type, code } = Object(error) as { name?: unknown; code?: unknown };
  current.setAttribute('error.type', String(code ?? type ?? typeof error));
  current.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns whether tracing is on in this process. */
export const tracingIsOn = (): boolean => isTracing;

/** Runs `fn` outside any trace. For activities that outlive the request that started them. */
export const outsideTrace = <T>(fn: () => T): T => (isTracing ? context.with(ROOT_CONTEXT, fn) : fn());

/** Returns the current span as W3C `traceparent`; null if nothing is traced. */
export function currentTrace(): string | null {
  const current = isTracing ? trace.getSpanContext(context.active()) : undefined;
  if (!current || !isSpanContextValid(current)) return null;
  const flags = current.traceFlags.toString(16).padStart(2, '0');
  return `00-${current.traceId}-${current.spanId}-${flags}`;
}

/**
 * Returns the headers with the current span as `traceparent`; the same headers if there is no span. Only for
 * requests to our own processes, because receivers of webhooks must not see our traces.
 */
export function injectTrace(headers: Record<string, string>): Record<string, string> {
  const traceparent = currentTrace();
  return traceparent ? { ...headers, traceparent } : headers;
}

/**
 * Runs `fn` within the trace of a `traceparent` (W3C Trace Context). If it is missing or malformed, a new
 * trace begins.
 */
export function withRemoteTrace<T>(traceparent: unknown, fn: () => T): T {
  if (!isTracing) return fn();
  const remote = typeof traceparent === 'string' ? readTraceparent(traceparent) : null;
  return context.with(remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT, fn);
}

function readTraceparent(text: string): SpanContext | null {
  // Later versions of the format may add parts after the flags; version 00 may not.
  const match = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(text);
  if (!match || (match[1] === '00' && match[5])) return null;
  const traceFlags = Number.parseInt(match[4]!, 16) & 1;
  const remote = { traceId: match[2]!, spanId: match[3]!, traceFlags, isRemote: true };
  return isSpanContextValid(remote) ? remote : null;
}
