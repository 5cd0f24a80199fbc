import { createHash } from 'node:crypto';
import { channel, tracingChannel } from 'node:diagnostics_channel';

/** The diagnostics channel `loyalty:statement` carries the text of each statement, before it is sent. */
const statements = channel('loyalty:statement');

/** Shows a statement to who subscribed; costs one comparison where nobody did. */
export function publishStatement(text: string): void {
  if (statements.hasSubscribers) statements.publish(text);
}

const runs = tracingChannel<unknown, { readonly text: string }>('loyalty:statement');

/** Runs a statement, which who subscribed sees begin and end; costs one comparison where nobody did. */
export function traceStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  return runs.hasSubscribers ? runs.tracePromise(run, { text }) : run();
}

const names = new Map<string, string>();

/** A short stable name makes PostgreSQL keep the plan of a statement for the life of the connection. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    if (names.size < 5_000) names.set(text, name);
  }
  return name;
}
