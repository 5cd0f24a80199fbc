import { ownTables } from './database.rules.ts';
import { deadValues } from './exports.rules.ts';
import { anyMachine, chance, classes, environment, names, openEnds, servers } from './habits.rules.ts';
import type { Exception } from './project.ts';

/** Every file that may break a rule, with the reason. An exception that no file needs fails the check. */
export const exceptions: readonly Exception[] = [
  { rule: names, file: 'packages/client/src/index.ts', reason: 'It is what those who install it import.' },
  { rule: deadValues, file: 'packages/client/src/index.ts', reason: 'Programs outside import it.' },
  {
    rule: environment,
    file: 'back-office/vite.config.ts',
    reason: 'Development names the gateway that Vite passes calls on to.',
  },
  {
    rule: environment,
    file: 'cli/src/main.ts',
    reason: 'It starts the product and hands the environment on.',
  },
  {
    rule: environment,
    file: 'scripts/browser-tests.mjs',
    reason: 'It passes a path of the browser to the tests.',
  },
  {
    rule: environment,
    file: 'scripts/programs.mjs',
    reason: 'It hands the environment on to the installer.',
  },
  {
    rule: environment,
    file: 'scripts/redis-server.mjs',
    reason: 'It uses the server that the environment names.',
  },
  {
    rule: environment,
    file: 'scripts/run-tests.mjs',
    reason: 'It hands the environment on to the tests.',
  },
  {
    rule: environment,
    file: 'scripts/production-tests.mjs',
    reason: 'It passes the folder of the product to the tests.',
  },
  { rule: environment, file: 'scripts/commands.mjs', reason: 'It runs before anything is installed.' },
  {
    rule: environment,
    file: 'gateway/src/executor/apollo-engine.ts',
    reason: 'Apollo Gateway has no other setting that stops its reports.',
  },
  {
    rule: servers,
    file: 'web/src/build/copy-scalar.ts',
    reason: 'It asks a plugin for its script, and does not listen.',
  },
  {
    rule: ownTables,
    file: 'prisma/src/distribution.ts',
    reason: 'It says how the tables of all owners are distributed, and reads none.',
  },
  {
    rule: classes,
    file: 'prisma/src/cancellable-pool.ts',
    reason: 'The pool is extended where its driver offers no hook.',
  },
  {
    rule: classes,
    file: 'platform/src/observe/log.test.ts',
    reason: 'The logger must hide what instances hold, too.',
  },
  { rule: openEnds, file: 'test/src/architecture/habits.rules.ts', reason: 'It lists the words.' },
  { rule: openEnds, file: 'test/src/architecture/architecture.test.ts', reason: 'It shows what is refused.' },
  { rule: chance, file: 'test/src/architecture/architecture.test.ts', reason: 'It shows what is refused.' },
  {
    rule: anyMachine,
    file: 'test/src/architecture/architecture.test.ts',
    reason: 'It shows what is refused.',
  },
];
