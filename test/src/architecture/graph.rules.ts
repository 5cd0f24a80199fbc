import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type TypeNode,
  visit,
} from 'graphql';
import { packageOf } from './paths.ts';
import type { Breach, Project, Rule, SourceFile } from './project.ts';
import { at, type Placed, type Sdl, sdlIn } from './sdl.ts';
import { stringsOf } from './syntax.ts';

const roots = ['Query', 'Mutation', 'Subscription'];
const scopesFile = /^subgraphs\/workspace\/src\/.+\/scopes\.ts$/;

const accessOf = (field: FieldDefinitionNode): ConstDirectiveNode | undefined =>
  field.directives?.find(({ name }) => name.value === 'access');

export const access: Rule = {
  name: 'Every root field says who may call it',
  check: (project) =>
    sdlIn(project).flatMap(({ file, definitions }) =>
      definitions.flatMap((definition) => {
        if (definition.kind !== 'ObjectTypeExtension' && definition.kind !== 'ObjectTypeDefinition')
          return [];
        if (!roots.includes(definition.name.value)) return [];
        return (definition.fields ?? [])
          .filter((field) => !accessOf(field))
          .map((field) => at(file, field, `${definition.name.value}.${field.name.value} has no @access`));
      }),
    ),
};

export const scopes: Rule = {
  name: 'Every scope that a field asks for can be given to a key',
  check: (project) => {
    const source = project.files.find(({ path }) => scopesFile.test(path));
    if (!source)
      return [{ file: 'subgraphs/workspace', line: 1, message: 'list the scopes of API keys in scopes.ts' }];
    const known = new Set(stringsOf(source).map(({ text }) => text));
    return sdlIn(project).flatMap((sdl) => scopesAsked(sdl, known));
  },
};

function scopesAsked({ file, definitions }: Sdl, known: ReadonlySet<string>): Breach[] {
  const found: Breach[] = [];
  for (const definition of definitions) {
    visit(definition, {
      Directive: ({ name, arguments: args }) => {
        const asked =
          name.value === 'access' ? args?.find((argument) => argument.name.value === 'scopes') : undefined;
        if (asked)
          visit(asked, {
            StringValue: (node) => void (known.has(node.value) || found.push(unknownScope(file, node))),
          });
      },
    });
  }
  return found;
}

const unknownScope = (file: SourceFile, node: Placed & { readonly value: string }): Breach =>
  at(file, node, `${node.value} is not in scopes.ts of the workspace`);

interface TypeUse {
  readonly file: SourceFile;
  readonly definition: DefinitionNode & { readonly name: { readonly value: string } };
  readonly name: string;
  readonly subgraph: string;
}

const typeUses = (project: Project, kinds: readonly string[]): TypeUse[] =>
  sdlIn(project).flatMap(({ file, definitions }) =>
    definitions
      .filter((definition) => kinds.includes(definition.kind) && 'name' in definition && definition.name)
      .map((found) => {
        const definition = found as TypeUse['definition'];
        return { file, definition, name: definition.name.value, subgraph: packageOf(file.path) ?? '' };
      })
      .filter(({ name }) => !roots.includes(name)),
  );

const directivesOf = ({ definition }: TypeUse): readonly ConstDirectiveNode[] =>
  'directives' in definition ? ((definition.directives ?? []) as readonly ConstDirectiveNode[]) : [];

const hasDirective = (use: TypeUse, name: string): boolean =>
  directivesOf(use).some((directive) => directive.name.value === name);

/**
 * A reference such as `type Store @key(fields: "id", resolvable: false)` only points at the type of its
 * owner.
 */
const isReference = (use: TypeUse): boolean =>
  directivesOf(use).some(({ arguments: args }) => args?.some(({ name }) => name.value === 'resolvable'));

export const owners: Rule = {
  name: 'A type is owned by one subgraph; others extend it by its key, or share it as plain data',
  check: (project) => {
    const kinds = ['ObjectTypeDefinition', 'InterfaceTypeDefinition', 'UnionTypeDefinition'];
    const owned = typeUses(project, kinds).filter((use) => !isReference(use));
    const twice = owned.flatMap((use, index) => {
      const { file, definition, name } = use;
      const first = owned.slice(0, index).find((other) => other.name === name);
      if (!first || (hasDirective(first, 'shareable') && hasDirective(use, 'shareable'))) return [];
      return [at(file, definition, `${name} is in ${first.file.path} already: extend it`)];
    });
    return [...twice, ...keylessExtensions(project, owned)];
  },
};

/** A subgraph that extends the type of another one must repeat its key once; the owner itself need not. */
function keylessExtensions(project: Project, owned: readonly TypeUse[]): Breach[] {
  const extensions = typeUses(project, ['ObjectTypeExtension', 'InterfaceTypeExtension']);
  return extensions.flatMap((extension) => {
    const { file, definition, name, subgraph } = extension;
    const owner = owned.find((candidate) => candidate.name === name);
    if (!owner) return [at(file, definition, `no subgraph owns ${name}`)];
    if (owner.subgraph === subgraph) return [];
    const isKeyed = extensions.some(
      (other) => other.subgraph === subgraph && other.name === name && hasDirective(other, 'key'),
    );
    return isKeyed ? [] : [at(file, definition, `extend ${name} with the @key of ${owner.subgraph}`)];
  });
}

export const nullables: Rule = {
  name: 'A field that another subgraph fills is nullable, so that an outage there leaves the rest standing',
  check: (project) => {
    const types = typeUses(project, ['ObjectTypeDefinition', 'ObjectTypeExtension']);
    const owned = types.filter((use) => isEntity(use) && !isReference(use));
    const ownerOf = new Map(owned.map(({ name, subgraph }) => [name, subgraph]));
    return types.flatMap((use) =>
      fieldsOf(use)
        .filter(isRequired)
        .flatMap((field) => {
          const fillers = [ownerOf.get(use.name), ownerOf.get(namedType(field.type))];
          if (fillers.every((filler) => filler === undefined || filler === use.subgraph)) return [];
          return [
            at(use.file, field, `${use.name}.${field.name.value} needs a second subgraph: make it nullable`),
          ];
        }),
    );
  },
};

const isEntity = (use: TypeUse): boolean =>
  use.definition.kind === 'ObjectTypeDefinition' && hasDirective(use, 'key');

const fieldsOf = ({ definition }: TypeUse): readonly FieldDefinitionNode[] =>
  'fields' in definition ? ((definition.fields ?? []) as readonly FieldDefinitionNode[]) : [];

/**
 * Fields that must have a value. The id and `@external` fields are left out: the reference already contains
 * them.
 */
const isRequired = ({ name, type, directives }: FieldDefinitionNode): boolean =>
  type.kind === 'NonNullType' &&
  name.value !== 'id' &&
  !directives?.some((directive) => directive.name.value === 'external');

function namedType(type: TypeNode): string {
  let node = type;
  while (node.kind !== 'NamedType') node = node.type;
  return node.name.value;
}
