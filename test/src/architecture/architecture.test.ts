import { describe, expect, test } from '@jest/globals';
import * as database from './database.rules.ts';
import { faults } from './faults.fixture.ts';
import * as habits from './habits.rules.ts';
import * as imports from './imports.rules.ts';
import { judge, projectOf } from './project.ts';
import * as settings from './settings.rules.ts';
import * as sizes from './sizes.rules.ts';

const points = 'subgraphs/loyalty/src/points';
const tiers = 'subgraphs/loyalty/src/tiers';

describe('imports', () => {
  test('of another subgraph are refused unless they are events', () => {
    const texts = {
      'subgraphs/model/src/credits/wallet.service.ts': [
        "import { memberCreated } from '@loyalty/loyalty-subgraph/members/members/members.events';",
        "import { findMember } from '@loyalty/loyalty-subgraph/members/members/members.service';",
        "const later = await import('@loyalty/commerce-subgraph/stores/stores/stores.service');",
        "export { audit } from '@loyalty/platform/identity/audit';",
      ].join('\n'),
    };
    expect(faults(imports.packages, texts)).toEqual([
      'subgraphs/model/src/credits/wallet.service.ts:2',
      'subgraphs/model/src/credits/wallet.service.ts:3',
    ]);
  });

  test('of another package by a relative path are refused', () => {
    const texts = { 'worker/src/worker.ts': "import { log } from '../../platform/src/log.ts';" };
    expect(faults(imports.packages, texts)).toEqual(['worker/src/worker.ts:1']);
  });

  test.each([
    ['gateway', '@loyalty/commerce-subgraph/stores/stores.events'],
    ['rest-adapter', '@loyalty/gateway/graph'],
    ['rest-adapter', '@loyalty/workspace-subgraph/subgraph'],
    ['worker', '@loyalty/loyalty-subgraph/points/points/points.service'],
    ['platform', '@loyalty/worker/worker'],
    ['prisma', '@loyalty/platform/config/config'],
    ['web', '@loyalty/gateway/graph'],
    ['web', '@loyalty/rest-adapter/openapi/openapi'],
    ['gateway', '@loyalty/web/pages/pages'],
    ['cli', '@loyalty/test/harness/services'],
    ['packages/client', '@loyalty/platform/base/errors'],
  ])('from %s to %s are refused', (importer, target) => {
    expect(
      faults(imports.packages, { [`${importer}/src/a.ts`]: `import { b } from '${target}';` }),
    ).toHaveLength(1);
  });

  test('of jobs and events are allowed for the worker', () => {
    const texts = {
      'worker/src/schedule.ts': "import { expireJob } from '@loyalty/model-subgraph/credits/credits.jobs';",
    };
    expect(faults(imports.packages, texts)).toEqual([]);
  });

  test('in the platform go to a lower layer only', () => {
    const texts = {
      'platform/src/database/pages.ts':
        "import { a } from '../base/ids.ts';\nimport { b } from '../work/jobs.ts';",
      'platform/src/imports/a.ts': "import { c } from '../exports/b.ts';",
      'platform/src/context.ts': "import type { Config } from './config/config.ts';",
      'platform/src/other/a.ts': "import { d } from '../base/ids.ts';",
    };
    expect(faults(imports.platformFloors, texts)).toEqual([
      'platform/src/database/pages.ts:2',
      'platform/src/imports/a.ts:1',
      'platform/src/other/a.ts:1',
    ]);
  });

  test('of the test harness are allowed only for tests', () => {
    const text = "import { createTestServices } from '@loyalty/test/harness/services';";
    const texts = { [`${points}/points.test.ts`]: text, [`${points}/points.service.ts`]: text };
    expect(faults(imports.packages, texts)).toEqual([`${points}/points.service.ts:1`]);
  });

  test("of another noun's store, resolvers or jobs are refused, those of its service and types are allowed", () => {
    const texts = {
      [`${points}/points.service.ts`]: [
        "import { awardTier } from '../tiers/tiers.service.ts';",
        "import type { Tier } from '../tiers/tiers.store.ts';",
        "import { type TierRow, tierById } from '../tiers/tiers.store.ts';",
        "import { tiersJob } from '../tiers/tiers.jobs.ts';",
        "import { insertEntry } from './points.store.ts';",
      ].join('\n'),
    };
    expect(faults(imports.nouns, texts)).toEqual([
      `${points}/points.service.ts:3`,
      `${points}/points.service.ts:4`,
    ]);
  });

  test('of a store into its resolvers are refused unless they are loaders', () => {
    const texts = {
      [`${tiers}/tiers.store.ts`]:
        'export const tierById = loader(f);\nexport const insertTier = async () => 1;',
      [`${tiers}/tiers.resolvers.ts`]:
        "import { tierById } from './tiers.store.ts';\nimport { insertTier } from './tiers.store.ts';",
    };
    expect(faults(imports.resolvers, texts)).toEqual([`${tiers}/tiers.resolvers.ts:2`]);
  });
});

describe('the database', () => {
  test('may be used only by stores', () => {
    const text = [
      "await ctx.sql.query('SELECT 1', []);",
      'await tx.prisma.tier.create({});',
      'const { sql } = ctx;',
      'await ctx.services.database.close();',
      "import pg from 'pg';",
    ].join('\n');
    const texts = { [`${tiers}/tiers.service.ts`]: text, [`${tiers}/tiers.store.ts`]: text };
    expect(new Set(faults(database.storesOnly, texts))).toEqual(
      new Set([1, 2, 3, 4, 5].map((line) => `${tiers}/tiers.service.ts:${line}`)),
    );
  });

  test('has tables and models that only their own subgraph may name', () => {
    const texts = {
      'prisma/schema/workspace.prisma':
        'model ApiKey {\n  id String\n  @@map("api_keys")\n  @@schema("workspace")\n}',
      'prisma/schema/loyalty.prisma': 'model Tier {\n  id String\n  @@map("tiers")\n  @@schema("loyalty")\n}',
      [`${tiers}/tiers.store.ts`]: [
        'const own = `SELECT id FROM loyalty.tiers`;',
        'const foreign = `SELECT t.id',
        '  FROM loyalty.tiers t JOIN "workspace"."api_keys" k ON true`;',
        'await ctx.prisma.tier.create({});',
        'await ctx.prisma.apiKey.create({});',
        'const mode = \'$1::platform."Mode"\';',
      ].join('\n'),
    };
    expect(faults(database.ownTables, texts)).toEqual([
      `${tiers}/tiers.store.ts:3`,
      `${tiers}/tiers.store.ts:5`,
    ]);
  });

  test('has for each table one way to insert rows: Prisma or a statement by hand', () => {
    const texts = {
      'prisma/schema/loyalty.prisma': ['Tier', 'Tag']
        .map((name) => `model ${name} {\n  id String\n  @@map("${name}s")\n  @@schema("loyalty")\n}\n`)
        .join(''),
      [`${tiers}/tiers.store.ts`]: 'await ctx.prisma.tier.createMany({});',
      [`${tiers}/tags.store.ts`]: [
        'const byHand = `INSERT INTO loyalty.Tiers (id) VALUES ($1)`;',
        'const other = `INSERT INTO loyalty.Tags (id) VALUES ($1)`;',
        'const put = `INSERT INTO loyalty.Tiers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET rank = 1`;',
        'const found = `INSERT INTO loyalty.Tiers (id) SELECT id FROM loyalty.Tags`;',
      ].join('\n'),
    };
    expect(faults(database.oneInsert, texts)).toEqual([`${tiers}/tags.store.ts:1`]);
  });

  test('has names for its error codes in one place', () => {
    const text = "const taken = error.code === '23505';";
    const texts = {
      [`${tiers}/tiers.store.ts`]: text,
      [`${tiers}/tiers.test.ts`]: text,
      'prisma/src/sqlstate.ts': text,
    };
    expect(faults(database.sqlStates, texts)).toEqual([`${tiers}/tiers.store.ts:1`]);
  });
});

describe('habits', () => {
  test.each([
    'platform/src/index.ts',
    'platform/src/utils/dates.ts',
    'worker/src/job-helpers.ts',
    'cli/src/common.ts',
  ])('%s is not allowed as the name of a file', (path) =>
    expect(faults(habits.names, { [path]: '' })).toEqual([`${path}:1`]),
  );

  test('a class is refused unless it is an error', () => {
    const text =
      'class TierError extends Error {}\nclass TierService {}\nconst a = class extends TierService {};';
    expect(faults(habits.classes, { 'platform/src/a.ts': text })).toEqual([
      'platform/src/a.ts:2',
      'platform/src/a.ts:3',
    ]);
  });

  test('the environment is read by nobody but the configuration', () => {
    const text = "const a = process.env.PORT;\nconst b = process['env']['PORT'];";
    const texts = {
      'platform/src/config/config.ts': text,
      'platform/src/outbound/mail.ts': text,
      'platform/src/outbound/mail.test.ts': text,
    };
    expect(faults(habits.environment, texts)).toEqual([
      'platform/src/outbound/mail.ts:1',
      'platform/src/outbound/mail.ts:2',
    ]);
  });

  test('a skipped test is refused unless a condition says when it runs', () => {
    const text = [
      "describe.only('a', () => {});",
      "test.skip('b', () => {});",
      "test.todo('c');",
      "xit('d', () => {});",
      "(isRoot ? test : test.skip)('e', () => {});",
      "test('f', () => {});",
    ].join('\n');
    const lines = [1, 2, 3, 4].map((line) => `platform/src/a.test.ts:${line}`);
    expect(faults(habits.tests, { 'platform/src/a.test.ts': text })).toEqual(lines);
  });

  test('a test or hook with less time than by default is refused', () => {
    const text = [
      "test('a', () => {}, 60_000);",
      "test.each([1])('b', () => {}, 120_000);",
      'beforeAll(() => {}, 5_000);',
      "test('c', () => {}, 180_000);",
      "test('d', () => {});",
      'setTimeout(() => {}, 5_000);',
    ].join('\n');
    const lines = [1, 2, 3].map((line) => `platform/src/a.test.ts:${line}`);
    expect(faults(habits.limits, { 'platform/src/a.test.ts': text })).toEqual(lines);
  });

  test.each([
    ['.not.toMatch(/ada|Lovelace/)', 1],
    [".not.toContain('fee')", 1],
    ['.not.toMatch(/ada@|Lovelace/)', 0],
    [".not.toContain('Ada')", 0],
    [".toContain('fee')", 0],
  ])('a test that random ciphertext can make fail is refused: %s', (text, count) => {
    const texts = { 'platform/src/a.test.ts': `expect(sealed)${text};` };
    expect(faults(habits.chance, texts)).toHaveLength(count);
  });

  test('a test hook in a module that is not a test is refused unless it is inside a function', () => {
    const texts = {
      'platform/src/a.fixture.ts': 'beforeEach(forget);',
      'platform/src/b.fixture.ts': 'export function useA() {\n  beforeEach(forget);\n}',
      'platform/src/c.test.ts': 'beforeEach(forget);',
    };
    expect(faults(habits.hooks, texts)).toEqual(['platform/src/a.fixture.ts:1']);
  });

  test.each([
    ["test.each([[1]])('%.2s of one', () => {});", ['platform/src/a.test.ts:1']],
    ["describe.each(kinds)('of %e', () => {});", ['platform/src/a.test.ts:1']],
    ["test.each([[1]])('%s, %j and 5 % of $name', () => {});", []],
    ["test('%.2s', () => {});", []],
  ])('a title with a format that Jest does not know is refused: %s', (text, places) => {
    expect(faults(habits.titles, { 'platform/src/a.test.ts': text })).toEqual(places);
  });

  test('a TODO without an issue is refused in any file', () => {
    const texts = { 'platform/src/a.ts': '// TODO later\n// TODO(#12) later', 'README.md': 'FIXME' };
    expect(faults(habits.openEnds, texts)).toEqual(['platform/src/a.ts:1', 'README.md:1']);
  });

  test.each(['/work/main', '../shared/spec', 'https://registry.npmjs.org/pg', 'deb.debian.org'])(
    '%s is refused in any file',
    (text) => expect(faults(habits.anyMachine, { 'README.md': `See ${text}.` })).toEqual(['README.md:1']),
  );
});

describe('settings', () => {
  test('are in .env.example exactly when the code reads them', () => {
    const texts = {
      'platform/src/config/config.ts':
        'export const variables = {\n  PORT: number({ MIN: 1 }),\n  HOST: text,\n} as const;',
      '.env.example': '# Where to listen.\nPORT=4000\nMIN=1\nGONE=1\n',
    };
    expect(faults(settings.settings, texts)).toEqual([
      'platform/src/config/config.ts:3',
      '.env.example:3',
      '.env.example:4',
    ]);
  });
});

describe('sizes', () => {
  const lines = (count: number): string => 'const a = 1;\n'.repeat(count);

  test.each([`${tiers}/tiers.service.ts`, 'cli/src/main.ts', `${tiers}/tiers.graphql`])(
    '%s has at most 500 lines',
    (path) => {
      expect(faults(sizes.fileLength, { [path]: lines(500) })).toEqual([]);
      expect(faults(sizes.fileLength, { [path]: lines(501) })).toEqual([`${path}:500`]);
    },
  );

  test('descriptions in SDL are not counted', () => {
    const described = '"One line."\ntype A {\n  """\n  Two\n  lines.\n  """\n  id: ID!\n}\n';
    const path = `${tiers}/tiers.graphql`;
    expect(faults(sizes.fileLength, { [path]: described.repeat(166) })).toEqual([]);
    expect(faults(sizes.fileLength, { [path]: described.repeat(167) })).toEqual([`${path}:500`]);
  });

  test('a line has at most 110 characters', () => {
    const text = `${'a'.repeat(110)}\n${'a'.repeat(111)}`;
    expect(faults(sizes.lineLength, { 'cli/src/main.ts': text })).toEqual(['cli/src/main.ts:2']);
  });

  test('a quoted text in a test may be longer', () => {
    const text = `test('${'a'.repeat(111)}', () => {});`;
    const texts = { 'cli/src/a.test.ts': text, 'cli/src/a.ts': text };
    expect(faults(sizes.lineLength, texts)).toEqual(['cli/src/a.ts:1']);
  });

  test('a function has at most 50 lines, a group of tests any number', () => {
    const long = `\n${'  // a\n'.repeat(49)}`;
    const texts = {
      'cli/src/main.ts': `function short() {\n}\nconst long = () => {${long}};`,
      'cli/src/main.test.ts': `describe('a', () => {\ntest('b', () => {});${long}});`,
    };
    expect(faults(sizes.functionLength, texts)).toEqual(['cli/src/main.ts:3']);
  });

  test('the README of a package has at most 30 lines', () => {
    const texts = {
      'package.json': '{}',
      'cli/package.json': '{}',
      'cli/README.md': '\n'.repeat(30).concat('end'),
      'subgraphs/model/package.json': '{}',
    };
    expect(faults(sizes.readmes, texts)).toEqual(['cli/README.md:30', 'subgraphs/model/README.md:1']);
  });
});

describe('an exception', () => {
  const texts = { 'cli/src/a.ts': 'class A {}', 'cli/src/b.ts': 'class B {}' };
  const files = (exempt: string): string[] => {
    const exceptions = [{ rule: habits.classes, file: exempt, reason: 'It is tried.' }];
    return judge(projectOf(texts), [habits.classes], exceptions).map(({ file }) => file);
  };

  test('exempts one file from one rule', () => {
    expect(files('cli/src/a.ts')).toEqual(['cli/src/b.ts']);
  });

  test('that no breach needs is a breach itself', () => {
    expect(files('cli/src/c.ts')).toContain('test/src/architecture/exceptions.ts');
  });
});
