import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DocumentNode, Kind, parse, print } from 'graphql';

const root = fileURLToPath(new URL('../../../docs/operations/', import.meta.url));

/** Every operation in `docs/operations`, by name. */
export const samples: ReadonlyMap<string, DocumentNode> = new Map(
  globSync('*.graphql', { cwd: root })
    .sort()
    .flatMap((file) =>
      parse(readFileSync(`${root}${file}`, 'utf8')).definitions.flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION && definition.name
          ? [[definition.name.value, { kind: Kind.DOCUMENT, definitions: [definition] }] as const]
          : [],
      ),
    ),
);

/** The text of an operation. */
export function sampleText(name: string): string {
  const document = samples.get(name);
  if (!document) throw new Error(`docs/operations has no ${name}`);
  return print(document);
}
