import { type ConstDirectiveNode, type DocumentNode, Kind, parse, visit } from 'graphql';

/** Returns the names of fields with @requires that other fields require in turn. */
export function chainedFields(supergraph: DocumentNode): Set<string> {
  const requiring = new Set<string>();
  const required = new Set<string>();
  visit(supergraph, {
    FieldDefinition({ name, directives = [] }) {
      for (const text of directives.flatMap(requirementOf)) {
        requiring.add(name.value);
        visit(parse(`{ ${text} }`, { noLocation: true }), {
          Field: (field) => void required.add(field.name.value),
        });
      }
    },
  });
  return new Set([...requiring].filter((name) => required.has(name)));
}

function requirementOf(directive: ConstDirectiveNode): string[] {
  if (directive.name.value !== 'join__field') return [];
  const given = directive.arguments?.find(({ name }) => name.value === 'requires')?.value;
  return given?.kind === Kind.STRING ? [given.value] : [];
}
