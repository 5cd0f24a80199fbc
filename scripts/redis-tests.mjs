// Runs the tests that need Redis, `*.redis.test.ts`, against REDIS_URL or against a temporary server. The
// arguments are the command that runs Jest, and further arguments for Jest.
import { provideRedis } from './redis-server.mjs';
import { runTests } from './run-tests.mjs';

const redis = await provideRedis();
runTests('redis', process.argv.slice(2), { REDIS_URL: redis.url }, redis.stop);
