/** One Jest for the whole workspace; `npm test -- points` runs the files whose path holds "points". */
export default {
  testEnvironment: 'node',
  roots: ['platform', 'prisma', 'subgraphs', 'gateway', 'rest-adapter', 'worker', 'cli', 'test'].map(
    (name) => `<rootDir>/${name}`,
  ),
  testMatch: ['**/*.test.ts'],
  // Those need what `npm run test:redis`, `test:browser`, `test:deploy` or `test:production` brings.
  testPathIgnorePatterns: ['/node_modules/', '\\.(redis|browser|deploy|production)\\.test\\.ts$'],
  modulePathIgnorePatterns: ['<rootDir>/.*/generated/.*\\.json$'],
  moduleNameMapper: { '/jsutils/instanceOf\\.js$': '<rootDir>/test/jest/instance-of.cjs' },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/jest.transform.mjs' },
  setupFilesAfterEnv: ['<rootDir>/test/src/tenancy/record-statements.ts'],
  globalSetup: '<rootDir>/test/src/harness/database/global-setup.ts',
  globalTeardown: '<rootDir>/test/src/harness/database/global-teardown.ts',
  testSequencer: '<rootDir>/test/jest/longest-first.mjs',
  coverageProvider: 'v8',
  maxWorkers: 2,
  workerIdleMemoryLimit: '768MB',
  testTimeout: 30_000,
};
