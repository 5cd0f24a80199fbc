import type { BenchProduct } from '../product.ts';

const MEMBERS = 200;
const ORDERS = 6;

const PREVIEW =
  'mutation ($input: DataImportInput!) { previewDataImport(input: $input) { issueCount token } }';
const CONFIRM = `mutation ($input: DataImportInput!, $token: String!) {
  confirmDataImport(input: $input, token: $token) { inserted mappings } }`;

/** Deposits credits for every measure, and activates paid service. */
export async function openPaidService({ run }: BenchProduct): Promise<void> {
  await run('mutation { depositCredits(usdCents: 1000000) { balance } }', {});
  await run('mutation { activatePaidService { plan } }', {});
}

/** Makes members with a history of orders through the API for integrations. */
export async function consumers(product: BenchProduct): Promise<string[]> {
  const created = '2025-01-01T00:00:00Z';
  const members = Array.from({ length: MEMBERS }, (_, index) => `m-${index},${created}`);
  const { mappings } = await importFile(product, 'MEMBERS', ['external_id,created_at', ...members]);
  const orders = members.flatMap((_, index) =>
    Array.from({ length: ORDERS }, (_order, number) => {
      const day = new Date(Date.UTC(2026, 0, 1 + number * 40 + (index % 30))).toISOString();
      return `o-${index}-${number},m-${index},${day},${10 + number}.50,EUR,paid`;
    }),
  );
  const header = 'external_id,member_id,occurred_at,amount,currency,status';
  await importFile(product, 'ORDERS', [header, ...orders]);
  return Object.values(mappings);
}

async function importFile({ run }: BenchProduct, kind: string, lines: readonly string[]) {
  const input = { kind, format: 'CSV', content: `${lines.join('\n')}\n` };
  const { previewDataImport } = await run(PREVIEW, { input });
  const { token, issueCount } = previewDataImport as { token: string; issueCount: number };
  if (issueCount > 0) throw new Error(`${issueCount} rows of ${kind} were refused`);
  const { confirmDataImport } = await run(CONFIRM, { input, token });
  return confirmDataImport as { inserted: number; mappings: Record<string, string> };
}
