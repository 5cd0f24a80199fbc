import { importMembersJob } from '@loyalty/loyalty-subgraph/imports/member-import.jobs';
import { systemCaller } from '@loyalty/platform/base/caller';
import { createContext } from '@loyalty/platform/database/create-context';
import type { BenchProduct } from './product.ts';

const ROWS_OF_PART = 3_000;

const firstNames =
  `Maria Ana João José António Manuel Francisco Marta Mário Beatriz Leonor Matilde Carolina Inês
  Sofia Rita Joana Tiago Diogo Miguel Pedro Rui Luís Carlos Paulo Nuno Bruno Ricardo Hugo André Catarina
  Teresa Isabel Helena Cristina Filipa Vera Gaspar Zulmira Quitéria`.split(/\s+/);
const surnames =
  `Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Fernandes Gomes Lopes
  Marques Alves Almeida Ribeiro Pinto Carvalho Teixeira Moreira Mendes Nunes Soares Vieira Monteiro`.split(
    /\s+/,
  );

/** A name that is the same in each run. All pairs of a first name and a surname are equally frequent. */
function nameOf(number: number): string {
  const round = Math.floor(number / firstNames.length);
  return `${firstNames[number % firstNames.length]} ${surnames[round % surnames.length]}`;
}

/**
 * Imports members, then gives them one of three tiers, one of two statuses and different numbers of points.
 */
export async function fillMembers(product: BenchProduct, count: number): Promise<void> {
  const { run, services, workspaceId } = product;
  for (const [place, name] of ['Bronze', 'Silver', 'Gold'].entries())
    await run('mutation ($input: CreateTierInput!) { createTier(input: $input) { id } }', {
      input: { name, rank: place + 1, upgradeThreshold: place * 1_000 },
    });
  const { createMemberImport } = await run(
    'mutation { createMemberImport(input: { format: CSV }) { id } }',
    {},
  );
  const { id } = createMemberImport as { id: string };
  let parts = 0;
  for (let from = 0; from < count; from += ROWS_OF_PART) {
    const rows = Array.from({ length: Math.min(ROWS_OF_PART, count - from) }, (_, row) => {
      const number = from + row + 1;
      return `m${number}@example.com,${nameOf(number)},m-${number}\n`;
    });
    const head = from === 0 ? 'email,full_name,external_id\n' : '';
    await run(
      'mutation ($id: ID!, $part: NonNegativeInt!, $data: String!) { appendImport(id: $id, part: $part, data: $data) { id } }',
      { id, part: parts, data: Buffer.from(head + rows.join('')).toString('base64') },
    );
    parts += 1;
  }
  await run('mutation ($id: ID!, $parts: PositiveInt!) { startImport(id: $id, parts: $parts) { id } }', {
    id,
    parts,
  });
  const caller = systemCaller('bench', { workspaceId, mode: 'LIVE' });
  await importMembersJob.run(createContext(services, { caller, requestId: 'bench' }), { importId: id });
  await spread(product);
}

const SLICES = 16;

async function spread({ services, workspaceId }: BenchProduct): Promise<void> {
  const { sql } = services.database;
  for (let slice = 0; slice < SLICES; slice += 1)
    await sql.query(
      `UPDATE loyalty.members AS m
          SET points_balance = h.value & 4095, current_tier_id = t.id,
              status = CASE WHEN h.value & 31 = 0 THEN 'INACTIVE' ELSE m.status END,
              last_activity_at = m.created_at - (h.value & 65535) * interval '1 minute'
         FROM (SELECT id, hashtext(id::text) AS value FROM loyalty.members WHERE workspace_id = $1) AS h
         JOIN loyalty.tiers AS t
           ON t.workspace_id = $1 AND t.rank = CASE WHEN (h.value & 4095) < 3000 THEN 1
                                                    WHEN (h.value & 4095) < 4000 THEN 2 ELSE 3 END
        WHERE m.workspace_id = $1 AND m.mode = 'LIVE' AND m.id = h.id AND (h.value >> 16) & 15 = $2`,
      [workspaceId, slice],
    );
  await sql.query('VACUUM ANALYZE loyalty.members', []);
}
