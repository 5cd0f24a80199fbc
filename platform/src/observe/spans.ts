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

/** Says whether spans are made in this process; until then the functions here only call what they get. */
export function setTracing(isOn: boolean): void {
  isTracing = isOn;
}

/** What a span is of, in the terms of OpenTelemetry, and what is known of it: never personal data. */
export interface SpanOptions {
  readonly kind?: keyof typeof SpanKind;
  readonly attributes?: Attributes;
}

/**
 * Runs `fn` within a span, which ends with it; what it throws marks the span as failed and is thrown on. Only
 * the type and code of an error are recorded, since messages may hold personal data.
 *
 * @param name - of few different values, for example `subgraph loyalty`
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

/** The same within a trace only: what a process does by itself, such as to poll a queue, makes no span. */
export const childSpan: typeof span = (name, options, fn) =>
  isTracing && trace.getActiveSpan() ? span(name, options, fn) : fn(noSpan);

/** A span of the active context that the caller ends; null where nothing is traced. */
export function startChild(name: string, { kind = 'INTERNAL', attributes = {} }: SpanOptions): Span | null {
  if (!isTracing || !trace.getActiveSpan()) return null;
  return trace.getTracer(TRACER).startSpan(name, { kind: SpanKind[kind], attributes });
}

/** Runs `fn` within a span that `fn`, or what it starts, ends. */
export function startActive<T>(name: string, options: SpanOptions, fn: (current: Span) => T): T {
  const { kind = 'INTERNAL', attributes = {} } = options;
  return trace.getTracer(TRACER).startActiveSpan(name, { attributes, kind: SpanKind[kind] }, fn);
}

/** Runs `fn` within a span that was started before. */
export const within = <T>(current: Span, fn: () => T): T =>
  context.with(trace.setSpan(context.active(), current), fn);

/**
 * What the span of a message says.
 *
 * @param destination - the type of the event or the name of the job
 */
export const messagingAttributes = (operation: 'send' | 'process', destination: string): Attributes => ({
  'messaging.system': 'postgresql',
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': destination,
});

/** Marks a span as failed by the type and code of the error. */
export function failSpan(current: Span, error: unknown): void {
  const { name: type, code } = Object(error) as { name?: unknown; code?: unknown };
  current.setAttribute('error.type', String(code ?? type ?? typeof error));
  current.setStatus({ code: SpanStatusCode.ERROR });
}

/** Whether spans are made in this process. */
export const tracingIsOn = (): boolean => isTracing;

/** Runs `fn` in no trace: for what goes on after the request that happened to start it. */
export const outsideTrace = <T>(fn: () => T): T => (isTracing ? context.with(ROOT_CONTEXT, fn) : fn());

/** The current span as W3C `traceparent`; null where nothing is traced. */
export function currentTrace(): string | null {
  const current = isTracing ? trace.getSpanContext(context.active()) : undefined;
  if (!current || !isSpanContextValid(current)) return null;
  const flags = current.traceFlags.toString(16).padStart(2, '0');
  return `00-${current.traceId}-${current.spanId}-${flags}`;
}

/**
 * Returns the headers with the current span as `traceparent`; the same headers when there is none. For our
 * own processes only: the receiver of a webhook must not see our traces.
 */
export function injectTrace(headers: Record<string, string>): Record<string, string> {
  const traceparent = currentTrace();
  return traceparent ? { ...headers, traceparent } : headers;
}

/**
 * Runs `fn` so that its spans continue the trace of a `traceparent` (W3C Trace Context). A missing or
 * malformed one starts a trace of its own.
 */
export function withRemoteTrace<T>(traceparent: unknown, fn: () => T): T {
  if (!isTracing) return fn();
  const remote = typeof traceparent === 'string' ? readTraceparent(traceparent) : null;
  return context.with(remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT, fn);
}

function readTraceparent(text: string): SpanContext | null {
  // Later versions of the format may add parts behind the flags, version 00 may not.
  const match = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(text);
  if (!match || (match[1] === '00' && match[5])) return null;
  const traceFlags = Number.parseInt(match[4]!, 16) & 1;
  const remote = { traceId: match[2]!, spanId: match[3]!, traceFlags, isRemote: true };
  return isSpanContextValid(remote) ? remote : null;
}
