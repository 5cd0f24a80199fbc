import { createHash } from 'node:crypto';
import { channel, tracingChannel } from 'node:diagnostics_channel';

/** The diagnostics channel `loyalty:statement` receives the text of each statement before it is sent. */
const statements = channel('loyalty:statement');

/** Publishes a statement to subscribers; costs one comparison if there are none. */
export function publishStatement(text: string): void {
  if (statements.hasSubscribers) statements.publish(text);
}

const runs = tracingChannel<unknown, { readonly text: string }>('loyalty:statement');

/**
 * Runs a statement and publishes its start and end to subscribers; costs one comparison if there are none.
 */
export function traceStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  return runs.hasSubscribers ? runs.tracePromise(run, { text }) : run();
}

const names = new Map<string, string>();

/**
 * Returns a short stable name, with which PostgreSQL keeps the plan of a statement for the life of the
 * connection.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    if (names.size < 5_000) names.set(text, name);
  }
  return name;
}
