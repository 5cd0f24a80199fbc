import { systemCaller } from '@loyalty/platform/base/caller';
import { loadConfig } from '@loyalty/platform/config/config';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';
import { tasks } from '@loyalty/worker/tasks';
import { peersWhenAsked } from '../harness/peers.ts';

/**
 * Runs jobs, given as JSON `{"<job>": <data>}`, as a worker does, until they are done or the process is
 * killed.
 */
const [, , workspaceId, directory, asked] = process.argv as [string, string, string, string, string];
const config = loadConfig(process.env, directory);
const services = await createServices({ ...config, DATABASE_URL: config.DATABASE_URL! }, 'job', {
  peers: peersWhenAsked,
});
const caller = systemCaller('job', { workspaceId, mode: 'LIVE' });
const running = Object.entries(JSON.parse(asked) as Record<string, unknown>).map(([name, data]) =>
  tasks.find((task) => task.name === name)!.run(createContext(services, { caller, requestId: name }), data),
);
await Promise.all(running);
await services.close();
