import { subgraphs } from '@loyalty/cli/subgraphs';
import { importOrdersJob } from '@loyalty/commerce-subgraph/order-import/order-import.jobs';
import { systemCaller } from '@loyalty/platform/caller';
import { loadConfig } from '@loyalty/platform/config';
import { createContext } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/peers';
import { createServices } from '@loyalty/platform/services';

/** Runs an import of orders, as a worker does, until it is done or killed. */
const [, , importId, workspaceId, directory] = process.argv as [string, string, string, string, string];
const config = loadConfig(process.env, directory);
const services = await createServices({ ...config, DATABASE_URL: config.DATABASE_URL! }, 'import', {
  peers: localPeers(subgraphs),
});
const caller = systemCaller('import', { workspaceId, mode: 'LIVE' });
process.stdout.write('started\n');
await importOrdersJob.run(createContext(services, { caller, requestId: 'import' }), { importId });
await services.close();
