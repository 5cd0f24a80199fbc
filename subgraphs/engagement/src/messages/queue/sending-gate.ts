// Whoever changes many messages of one workspace at once locks them in an order that nobody knows. Those who
// send share this lock for a statement, and who holds a campaign's messages or gives them back has it alone:
// so no two of them ever wait for each other's rows. It is a row of a WITH clause that the statement must
// read before it changes a message; $1 is the workspace and $2 the mode.
const lock = (kind: string) =>
  `MATERIALIZED (SELECT ${kind}(hashtextextended(
     'engagement.messages:' || $1::uuid::text || $2::platform."Mode"::text, 0)) AS passed)`;

/** For those who send. */
export const sharedGate = lock('pg_advisory_xact_lock_shared');

/** For those who change all messages of a source, or of a workspace. */
export const closedGate = lock('pg_advisory_xact_lock');
