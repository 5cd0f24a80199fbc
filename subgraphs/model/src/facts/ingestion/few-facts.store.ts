import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';
import { textArray } from '../facts/array-literals.ts';
import type { FactKind, Facts } from '../facts/fact.ts';
import type { FactClaim } from './fact-ids.store.ts';
import { factTables, type StoredFact } from './facts.store.ts';

const sqlTypes = { text: 'text', uuid: 'uuid', bigint: 'bigint', float: 'float8', timestamp: 'timestamptz' };

/** Columns of every fact and of its id, with their types. */
const common = [
  ['external_id', 'text'],
  ['fingerprint', 'text'],
  ['member_id', 'uuid'],
  ['occurred_at', 'timestamptz'],
  ['id', 'uuid'],
] as const;

function statementOf(kind: FactKind): string {
  const { name, columns } = factTables[kind];
  const own = columns.map(([column, cell, , type = sqlTypes[cell as keyof typeof sqlTypes]]) => [
    column,
    type,
  ]);
  const given = [...common, ...own];
  const names = own.map(([column]) => column).join(', ');
  const ofOrder = kind === 'ORDERS' ? 'order_id, occurred_at, currency' : 'NULL, NULL, NULL';
  return `
    WITH given AS (
      SELECT * FROM unnest(${given.map(([, type], at) => `$${at + 4}::${type}[]`).join(', ')})
               AS g(${given.map(([column]) => column).join(', ')})),
         claimed AS (
      INSERT INTO model.fact_ids
        (workspace_id, mode, kind, external_id, fingerprint, member_id, order_id, occurred_at, currency)
      SELECT $1, $2::platform."Mode", $3::model."FactKind", external_id, decode(fingerprint, 'hex'),
             member_id, ${ofOrder}
        FROM given
      ON CONFLICT (workspace_id, mode, kind, external_id) DO NOTHING
      RETURNING external_id),
         written AS (
      INSERT INTO model.${name} (workspace_id, mode, member_id, occurred_at, id, ${names})
      SELECT $1, $2::platform."Mode", member_id, occurred_at, id, ${names}
        FROM given JOIN claimed USING (external_id))
    SELECT external_id AS id FROM claimed`;
}

/**
 * Claims the ids of a few facts, as `claimFacts` does, and writes those that are new, in one statement.
 *
 * @returns ids that were claimed before; null where all of them are new
 */
export async function appendFew<Kind extends FactKind>(
  tx: Context,
  kind: Kind,
  facts: readonly StoredFact<Kind>[],
  claims: readonly FactClaim[],
): Promise<ReadonlySet<string> | null> {
  const dated = facts as readonly (StoredFact<Kind> & Facts[FactKind])[];
  const { columns } = factTables[kind];
  const rows = await tx.sql.query<{ id: string }>(statementOf(kind), [
    tx.scope.workspaceId,
    tx.scope.mode,
    kind,
    textArray(claims.map(({ externalId }) => externalId)),
    textArray(claims.map(({ fingerprint }) => fingerprint)),
    textArray(claims.map(({ memberId }) => memberId)),
    textArray(dated.map(({ occurredAt }) => occurredAt.toISOString())),
    textArray(facts.map(() => newId(tx.clock))),
    ...columns.map(([, , read]) => textArray(facts.map((fact) => textOf(read(fact))))),
  ]);
  if (rows.length === claims.length) return null;
  const claimed = new Set(rows.map(({ id }) => id));
  return new Set(claims.map(({ externalId }) => externalId).filter((id) => !claimed.has(id)));
}

function textOf(value: string | bigint | number | Date | null): string | null {
  if (value === null) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}
