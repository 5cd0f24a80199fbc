// Generates the code of the package in the working folder, as its `codegen.ts` says: GraphQL Code Generator
// without its command line, which would install 150 packages more.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import { createNoopProfiler, getCachedDocumentNodeFromSchema } from '@graphql-codegen/plugin-helpers';
import { GraphQLFileLoader } from '@graphql-tools/graphql-file-loader';
import { loadDocuments, loadSchema } from '@graphql-tools/load';

/** Definitions in another order give the same code. */
const ordered = { loaders: [new GraphQLFileLoader()], sort: true };
const schemaFrom = once((source) =>
  loadSchema(source, { ...ordered, assumeValidSDL: true, convertExtensions: true }),
);
const documentsFrom = once((source) => loadDocuments(source, { ...ordered, skipGraphQLImport: true }));

const { default: config } = await import(pathToFileURL(resolve('codegen.ts')).href);
try {
  const files = [];
  for (const [output, target] of Object.entries(config.generates))
    files.push(...(await generated(output, { ...config, ...target })));
  removeFormer(files.map(({ filename }) => resolve(filename)));
  for (const file of files) writeChanged(file);
} catch (error) {
  for (const one of error.errors ?? [error]) process.stderr.write(`${describe(one)}\n`);
  process.exit(1);
}

/** Returns a function that loads each source only once, for all outputs. */
function once(load) {
  const loaded = new Map();
  return (source) => {
    if (!loaded.has(source)) loaded.set(source, load(source));
    return loaded.get(source);
  };
}

/** Returns the files of one output, with their content. */
async function generated(
  output,
  { schema, documents, plugins = [], preset, presetConfig = {}, config: own },
) {
  const schemaAst = await schemaFrom(schema);
  const named = plugins.map((plugin) => (typeof plugin === 'string' ? { [plugin]: {} } : plugin));
  const names = named.flatMap((plugin) => Object.keys(plugin));
  const packages = names.map(async (name) => [name, await import(`@graphql-codegen/${name}`)]);
  const common = {
    plugins: named,
    schema: getCachedDocumentNodeFromSchema(schemaAst),
    schemaAst,
    documents: documents ? await documentsFrom(documents) : [],
    config: own,
    pluginMap: Object.fromEntries(await Promise.all(packages)),
    pluginContext: {},
    profiler: createNoopProfiler(),
    documentTransforms: [],
  };
  const files = await filesOf(output, common, preset, presetConfig);
  const { importExtension, emitLegacyCommonJSImports = true } = own;
  return Promise.all(
    files.map(async (file) => ({
      filename: file.filename,
      content: await codegen({ ...file, importExtension, emitLegacyCommonJSImports }),
    })),
  );
}

/** Returns what to generate into each file: a preset makes several files of one output. */
async function filesOf(output, common, name, presetConfig) {
  if (!name) return [{ ...common, filename: output }];
  const { preset } = await import(`@graphql-codegen/${name}-preset`);
  return preset.buildGeneratesSection({ ...common, baseOutputDir: output, presetConfig });
}

/** Removes files that an earlier run wrote into the same folders. */
function removeFormer(paths) {
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const files = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    for (const file of files)
      if (file.isFile() && !paths.includes(join(folder, file.name))) rmSync(join(folder, file.name));
  }
}

function writeChanged({ filename, content }) {
  if (existsSync(filename) && readFileSync(filename, 'utf8') === content) return;
  mkdirSync(dirname(filename), { recursive: true });
  writeFileSync(filename, content);
}

/** Returns an error with its place, without its stack. */
function describe(error) {
  const [place] = error.locations ?? [];
  const file = error.source?.name ?? error.nodes?.[0]?.loc?.source.name;
  const where = file && place ? `${basename(file)}:${place.line}: ` : '';
  return `${where}${error.message}`;
}
