import { type Link, linksOf } from './links.ts';
import { isTest, nounOf, packageOf, roleOf } from './paths.ts';
import type { Breach, Rule, SourceFile } from './project.ts';
import { collect } from './syntax.ts';

const breach = ({ from, line }: Link, message: string): Breach => ({ file: from.path, line, message });

/** The files of the database package that the stores of a subgraph may import. */
const forStores = ['client', 'columns', 'sqlstate', 'copy/binary-rows'].map(
  (name) => `prisma/src/${name}.ts`,
);

const isSubgraph = (name: string): boolean => name.startsWith('subgraphs/');

/** For each package, the files of other packages that it may import. */
const mayImport: Readonly<Record<string, (target: string, importer: string) => boolean>> = {
  prisma: () => false,
  platform: (target) => packageOf(target) === 'prisma',
  gateway: (target) => packageOf(target) === 'platform' || target.startsWith('web/src/explorer/'),
  'rest-adapter': (target) => packageOf(target) === 'platform',
  // Its browser code imports only the code that decides permissions; its build reads the supergraph.
  'back-office': (target, importer) =>
    packageOf(target) === 'platform' || (importer.includes('/src/build/') && packageOf(target) === 'gateway'),
  // Its tests open the pages of the whole product.
  web: (target, importer) => packageOf(target) === 'platform' || isTest(importer),
  worker: (target) =>
    packageOf(target) === 'platform' ||
    (isSubgraph(packageOf(target) ?? '') && ['jobs', 'events'].includes(roleOf(target))),
  cli: (target) => packageOf(target) !== 'test',
  test: () => true,
  // A published package must work alone. Only its code generator imports files of the product.
  packages: (_target, importer) => importer.endsWith('/codegen.ts'),
  subgraph: (target, importer) =>
    packageOf(target) === 'platform' ||
    (isSubgraph(packageOf(target) ?? '') && roleOf(target) === 'events') ||
    (forStores.includes(target) && roleOf(importer) === 'store'),
};

export const packages: Rule = {
  name: 'A package imports only what the layout gives it',
  check: (project) =>
    linksOf(project).flatMap((link) => {
      const importer = packageOf(link.from.path) ?? '';
      const target = packageOf(link.target) ?? '';
      if (importer === target) return [];
      if (link.specifier.startsWith('.'))
        return [breach(link, `import ${target} by its package name, not by a path`)];
      if (isTest(link.from.path) && ['test', 'prisma', 'platform'].includes(target)) return [];
      const allows = mayImport[isSubgraph(importer) ? 'subgraph' : importer];
      if (allows?.(link.target, link.from.path)) return [];
      return [breach(link, `${importer} must not import ${link.target}`)];
    }),
};

/** An import of values from another noun. Type imports are allowed, because they do not exist at run time. */
const isAcrossNouns = ({ from, target, values }: Link): boolean =>
  values.length > 0 &&
  packageOf(from.path) === packageOf(target) &&
  nounOf(target) !== null &&
  nounOf(from.path) !== nounOf(target);

export const nouns: Rule = {
  name: "A noun calls another noun's service, events and plain modules only",
  check: (project) =>
    linksOf(project)
      .filter(
        (link) =>
          isSubgraph(packageOf(link.from.path) ?? '') && !isTest(link.from.path) && isAcrossNouns(link),
      )
      .filter(({ from, target }) => !(nounOf(from.path) === null && roleOf(target) === 'resolvers'))
      .filter(({ target }) => !['service', 'events', 'module'].includes(roleOf(target)))
      .map((link) => breach(link, `${link.target} belongs to its noun alone: call its service`)),
};

const loadersOf = (file: SourceFile): string[] =>
  collect(file, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return null;
    const { init } = node;
    const isLoader =
      init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'loader';
    return isLoader ? node.id.name : null;
  });

export const resolvers: Rule = {
  name: 'A resolver takes loaders from the store and everything else from the service',
  check: (project) =>
    linksOf(project)
      .filter(({ from, target }) => roleOf(from.path) === 'resolvers' && roleOf(target) === 'store')
      .flatMap((link) => {
        const store = project.files.find(({ path }) => path === link.target);
        const loaders = store ? loadersOf(store) : [];
        return link.values
          .filter((name) => !loaders.includes(name))
          .map((name) => breach(link, `${name} is no loader: call it through the service`));
      }),
};

/**
 * The folders of the platform from the lowest layer up. Folders of the same layer do not import each other.
 */
const floors: readonly (readonly string[])[] = [
  ['base'],
  ['crypto', 'observe'],
  ['config'],
  ['live', 'outbound'],
  ['database'],
  ['identity'],
  ['work'],
  ['subscriptions'],
  ['imports', 'exports'],
  ['http'],
  ['graph'],
  ['services.ts'],
];

/** Files that every service function needs. They are beside the folders so that a reader finds them first. */
const inDatabase = ['context.ts', 'peers.ts'];

function folderOfPlatform(path: string): string | null {
  const name = /^platform\/src\/([^/]+)/.exec(path)?.[1] ?? null;
  return name !== null && inDatabase.includes(name) ? 'database' : name;
}

export const platformFloors: Rule = {
  name: 'A folder of the platform imports only folders below it, so that each can be read without those above',
  check(project) {
    const floorOf = (folder: string) => floors.findIndex((floor) => floor.includes(folder));
    return linksOf(project).flatMap((link) => {
      const [from, target] = [folderOfPlatform(link.from.path), folderOfPlatform(link.target)];
      if (isTest(link.from.path) || !from || !target || from === target) return [];
      if (floorOf(from) < 0) return [breach(link, `give ${from} a place in the order of floors`)];
      if (floorOf(target) < floorOf(from)) return [];
      return [breach(link, `${target} is not below ${from}`)];
    });
  },
};
