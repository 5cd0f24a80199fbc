import { tracingChannel } from 'node:diagnostics_channel';
import type { Attributes, Span } from '@opentelemetry/api';
import { failSpan, startChild } from './spans.ts';

/** A statement in the messages of the diagnostics channel: the same object from start to end. */
interface RunningStatement {
  readonly text: string;
  span?: Span | null;
  error?: unknown;
}

/** Makes a span of every SQL statement within a trace. Returns a function that stops this. */
export function traceStatements(): () => void {
  const channel = tracingChannel<unknown, RunningStatement>('loyalty:statement');
  const subscribers = {
    start(statement: RunningStatement) {
      const attributes = describeStatement(statement.text);
      statement.span = startChild(String(attributes['db.query.summary']), { kind: 'CLIENT', attributes });
    },
    end() {},
    error({ span, error }: RunningStatement) {
      if (span) failSpan(span, error);
    },
    asyncStart() {},
    asyncEnd({ span }: RunningStatement) {
      span?.end();
    },
  };
  channel.subscribe(subscribers);
  return () => void channel.unsubscribe(subscribers);
}

const TABLE = String.raw`"?((?:platform|workspace|loyalty|commerce|engagement|model)"?\."?[a-z_]+)`;
const TARGETS = [
  ['INSERT', new RegExp(String.raw`\bINSERT\s+INTO\s+${TABLE}`, 'i')],
  ['UPDATE', new RegExp(String.raw`\bUPDATE\s+(?:ONLY\s+)?${TABLE}`, 'i')],
  ['DELETE', new RegExp(String.raw`\bDELETE\s+FROM\s+(?:ONLY\s+)?${TABLE}`, 'i')],
  ['COPY', new RegExp(String.raw`\bCOPY\s+${TABLE}`, 'i')],
  ['SELECT', new RegExp(String.raw`\bFROM\s+(?:ONLY\s+)?${TABLE}`, 'i')],
] as const;

const KEPT_MAX = 5_000;
const described = new Map<string, Attributes>();

/**
 * Returns the attributes of a statement: its operation and one of our tables. If there are several
 * operations, a write has priority over a read. No other part of the text is used.
 *
 * @remarks Source: OpenTelemetry semantic conventions, database client spans
 */
export function describeStatement(text: string): Attributes {
  const kept = described.get(text);
  if (kept) return kept;
  const [operation, table] = targetOf(text);
  const attributes: Attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table && { 'db.collection.name': table }),
    'db.query.summary': table ? `${operation} ${table}` : operation,
  };
  if (described.size < KEPT_MAX) described.set(text, attributes);
  return attributes;
}

function targetOf(text: string): [operation: string, table: string | null] {
  for (const [operation, pattern] of TARGETS) {
    const [, table] = pattern.exec(text) ?? [];
    if (table) return [operation, table.replaceAll('"', '')];
  }
  return [/^\s*(BEGIN|COMMIT|SET|LOCK|CREATE|SELECT)\b/i.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT', null];
}
