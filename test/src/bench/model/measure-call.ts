import { sideBySide, startServers } from '../measure.ts';

/** The number of concurrent callers of a busy workspace. Calls that arrive together are written together. */
const CONNECTIONS = 64;

/** Compares one capability call over REST with a bare handler that reads the same row. */
export async function measureCalls(): Promise<void> {
  const servers = await startServers('./model/model-call.process.ts');
  try {
    const requests = servers.ids.map((id) => ({
      method: 'POST' as const,
      path: '/api/v1/capabilities',
      body: JSON.stringify({ name: 'model_get_consumer_state', arguments: { member_id: id } }),
    }));
    const { product, bare, ratio } = await sideBySide(servers, requests, CONNECTIONS);
    console.log(
      `capability call, ${CONNECTIONS} at once: product ${product.toFixed(0)}/s, bare handler ${bare.toFixed(0)}/s, ` +
        `ratio ${ratio.toFixed(3)} (bar 0.3)`,
    );
  } finally {
    servers.stop();
  }
}
