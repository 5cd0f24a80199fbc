import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import plugin from '@graphql-eslint/eslint-plugin';
import { ESLint, type Linter } from 'eslint';
import { clientSdl } from './client-sdl.ts';
import { exceptions, settings } from './lint-exceptions.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const samples = 'docs/operations/*.graphql';

/**
 * Makes a linter. The plugin keeps the configuration of the graph that it gets first, so only one schema is
 * used.
 */
const linterOf = (schema: string, rules: object): ESLint =>
  new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.graphql'],
      languageOptions: {
        parser: plugin.parser,
        parserOptions: { graphQLConfig: { schema, documents: samples } },
      },
      plugins: { '@graphql-eslint': plugin as never },
      rules: rules as Linter.RulesRecord,
    },
  });

/** Lints the schema that clients see by the recommended rules and those of Relay. */
async function lintSchema(schema: string): Promise<string[]> {
  const rules = {
    ...plugin.configs['flat/schema-recommended'].rules,
    ...plugin.configs['flat/schema-relay'].rules,
    ...settings,
  };
  const results = await linterOf(schema, rules).lintText(schema, { filePath: 'graph.graphql' });
  const found = results.flatMap(({ messages }) => messages);
  const isKnown = ({ ruleId, message }: Linter.LintMessage) =>
    exceptions.some(({ rule, about }) => rule === ruleId && message.includes(about));
  const isMade = ({ rule, about }: (typeof exceptions)[number]) =>
    found.some(({ ruleId, message }) => rule === ruleId && message.includes(about));
  return [
    ...found
      .filter((message) => !isKnown(message))
      .map(({ ruleId, line, message }) => `graph, line ${line}: ${message} (${ruleId})`),
    ...exceptions.filter((one) => !isMade(one)).map(({ about }) => `needless exception: ${about}`),
  ];
}

/** Lints the sample operations by the recommended rules. */
async function lintSamples(schema: string): Promise<string[]> {
  const rules = {
    ...plugin.configs['flat/operations-recommended'].rules,
    // Samples select only what they are about; they select an id where a later step needs it.
    '@graphql-eslint/require-selections': 'off',
  };
  const results = await linterOf(schema, rules).lintFiles(samples);
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, line, message }) => `${filePath}:${line} ${message} (${ruleId})`),
  );
}

/** `npm run check` runs this file. It prints every report of graphql-eslint, and fails when there is one. */
const supergraph = readFileSync(new URL('../../../gateway/supergraph.graphql', import.meta.url), 'utf8');
const schema = clientSdl(supergraph);
const reports = [...(await lintSchema(schema)), ...(await lintSamples(schema))];
for (const report of reports) process.stderr.write(`${report}\n`);
if (reports.length > 0) process.exit(1);
