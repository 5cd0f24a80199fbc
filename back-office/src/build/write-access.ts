import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { accessMap, apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { demandsOf } from '@loyalty/platform/identity/asked-fields';
import { type DocumentNode, getNamedType, isObjectType, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { conditionsOf, documents } from './documents.ts';

// Writes the permissions that each document of the back office demands, from the schema, and the types
// that it reads, because the response of an empty list does not contain the type of its rows.

const sdl = readFileSync(supergraphFile, 'utf8');
const [access, schema] = [accessMap(sdl), apiSchemaOf(sdl)];

const entries = documents.map(({ name, operation, document }) => {
  const demands = demandsOf(document, name, schema, (type, field) => access.get(`${type}.${field}`));
  const demanded = (shown: Record<string, boolean>) => demands(shown).map(({ demand }) => demand);
  const always = demanded({});
  const parts = conditionsOf(operation).map((condition, place, all) => {
    const own = demanded({ [condition]: true });
    // A nested part is declared after its outer part, and is read only together with it.
    const within = all.slice(0, place).flatMap((outer) => {
      const without = [...own, ...demanded({ [outer]: true })];
      return demanded({ [outer]: true, [condition]: true }).filter((demand) => !without.includes(demand));
    });
    const more = [...new Set([...own, ...within])];
    return [condition, more.filter((demand) => !always.includes(demand))] as const;
  });
  const reads = { additionalTypenames: [...typesIn(document)].sort() };
  return [name, { always, parts: Object.fromEntries(parts), reads }] as const;
});

function typesIn(document: DocumentNode): ReadonlySet<string> {
  const types = new TypeInfo(schema);
  const found = new Set<string>();
  const enter = (): void => {
    const type = getNamedType(types.getType());
    if (isObjectType(type)) found.add(type.name);
  };
  visit(document, visitWithTypeInfo(types, { Field: { enter } }));
  return found;
}

const lines = [
  `export const demands = ${JSON.stringify(Object.fromEntries(entries), null, 1)} as const;`,
  '',
  'export type DocumentName = keyof typeof demands;',
  '',
];
const root = new URL('../../', import.meta.url);
mkdirSync(new URL('generated/', root), { recursive: true });
writeFileSync(new URL('generated/demands.ts', root), lines.join('\n'));
