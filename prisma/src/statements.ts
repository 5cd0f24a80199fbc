import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';

/** What a diagnostics channel `loyalty:statement` carries: the text of each statement, before it is sent. */
const statements = channel('loyalty:statement');

/** Shows a statement to who subscribed; costs one comparison where nobody did. */
export function publishStatement(text: string): void {
  if (statements.hasSubscribers) statements.publish(text);
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
