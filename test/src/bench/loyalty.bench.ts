import { deepPagesBesideFirst } from './lists/measure-lists.ts';
import { measureRecords } from './lists/records.bench.ts';
import { sideBySide, startServers } from './measure.ts';

/** The measures. Each prints its own line, and throws when it misses its bar. */
const measures: readonly (() => Promise<void>)[] = [
  awardsBesideBareHandler,
  deepPagesBesideFirst,
  filteredRecords,
];

for (const measure of measures) await measure();

/**
 * Compares awards over REST, through adapter, gateway and subgraph, with a bare fastify handler that runs the
 * same two statements in one transaction. The product also counts the write in its value guard and logs the
 * call.
 */
async function awardsBesideBareHandler(): Promise<void> {
  const BAR = 0.4;
  const servers = await startServers('./loyalty.process.ts');
  try {
    const requests = servers.ids.map((id) => ({
      method: 'POST' as const,
      path: `/api/v2/members/${id}/points`,
      body: JSON.stringify({ amount: 5, description: 'order 10042' }),
    }));
    const { product, bare, ratio } = await sideBySide(servers, requests);
    console.log(
      `award: product ${product.toFixed(0)}/s, bare handler ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`,
    );
    if (ratio < BAR) throw new Error(`The ratio must be at least ${BAR}.`);
  } finally {
    servers.stop();
  }
}

/** Measures lists of 1,000,000 custom records: rows and total. It takes some minutes to make the records. */
async function filteredRecords(): Promise<void> {
  const BAR_MS = 20;
  const measures = await measureRecords(1_000_000);
  for (const { name, medianMs, p95Ms, found } of measures)
    console.log(
      `records, ${name}: median ${medianMs.toFixed(1)} ms, 95% ${p95Ms.toFixed(1)} ms, found ${found}`,
    );
  const [mixed] = measures;
  if (mixed!.medianMs > BAR_MS) throw new Error(`${mixed!.name} may take ${BAR_MS} ms in the median.`);
}
