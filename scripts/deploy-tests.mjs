// Runs the tests of deploy/, `*.deploy.test.ts`, which need Linux, haproxy, Redis and Go. The arguments are
// the command that runs Jest, and further arguments for Jest.
import { provide } from './programs.mjs';
import { provideRedis } from './redis-server.mjs';
import { runTests } from './run-tests.mjs';

if (process.platform !== 'linux') {
  console.error('These tests use many addresses of the loopback network, which only Linux has ready.');
  process.exit(1);
}
provide('haproxy', ['haproxy'], 'These tests need a proxy: put haproxy 2.6 or newer on the PATH.');
provide(
  'go',
  ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-gopkg-yaml.v3-dev'],
  "The test of the chart needs Go, and Debian's packages of Sprig and yaml.v3 for it.",
);
const redis = await provideRedis();
runTests('deploy', process.argv.slice(2), { REDIS_URL: redis.url }, redis.stop);
