import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentNode } from 'graphql';

const isSource = (file: string): boolean => !/\.(test|fixture)\.ts$/.test(file);
const exported = /^export (?:interface|type) (\w+)/gm;
const roots = ['Query', 'Mutation', 'Subscription'];

/**
 * Finds the type of the parent object for the resolvers of each type: the exported TypeScript type of the
 * same name, in any file of the subgraph. Mappers of GraphQL Code Generator, as in `path#Store as StoreRow`.
 *
 * @param named - types whose rows have another name or are in another package
 * @throws Error if two files export a type of the same name
 */
export function rowTypes(
  directory: string,
  typeDefs: DocumentNode,
  named: Readonly<Record<string, string>>,
): Record<string, string> {
  const objects = new Set(
    typeDefs.definitions.flatMap((definition) =>
      definition.kind === 'ObjectTypeDefinition' || definition.kind === 'ObjectTypeExtension'
        ? [definition.name.value]
        : [],
    ),
  );
  const rows: Record<string, string> = {};
  for (const file of globSync('src/**/*.ts', { cwd: directory }).filter(isSource).sort()) {
    for (const [, name] of readFileSync(join(directory, file), 'utf8').matchAll(exported)) {
      if (!name || !objects.has(name) || name in named || roots.includes(name)) continue;
      if (rows[name]) throw new Error(`${rows[name]} and ${file} both export a type ${name}.`);
      rows[name] = `../${file}#${name} as ${name}Row`;
    }
  }
  return { ...rows, ...named };
}
