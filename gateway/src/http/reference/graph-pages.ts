import { type Html, html } from '@loyalty/platform/base/html';
import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import {
  addressOfType,
  ERRORS_PAGE,
  filterField,
  GRAPH_PAGE,
  REST_PAGE,
  referencePage,
  type ShownGraph,
  summary,
  trail,
} from './reference-html.ts';
import { membersOf } from './type-members.ts';

const isShown = (type: GraphQLNamedType): boolean =>
  !isIntrospectionType(type) && !isSpecifiedScalarType(type);

const typesOf = (schema: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(schema.getTypeMap())
    .filter(isShown)
    .sort((one, other) => one.name.localeCompare(other.name));

const ROOTS = ['Query', 'Mutation', 'Subscription'];

function kindOf(type: GraphQLNamedType): string {
  if (ROOTS.includes(type.name)) return 'Operations';
  if (isEnumType(type)) return 'Enums';
  if (isInputObjectType(type)) return 'Inputs';
  if (isScalarType(type)) return 'Scalars';
  return isInterfaceType(type) || isUnionType(type) ? 'Interfaces and unions' : 'Types';
}

const KINDS = ['Types', 'Interfaces and unions', 'Inputs', 'Enums', 'Scalars'];

/** Every operation and type, each with one sentence and a link to its page. */
export function graphIndexPage({ schema }: ShownGraph): string {
  const types = typesOf(schema);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const sections = [
    ...roots.flatMap((root) =>
      root
        ? [
            section(
              root.name,
              Object.values(root.getFields())
                .sort((one, other) => one.name.localeCompare(other.name))
                .map(({ name, description }) =>
                  entry(`${addressOfType(root.name)}#${name}`, name, description),
                ),
            ),
          ]
        : [],
    ),
    ...KINDS.map((kind) =>
      section(
        kind,
        types
          .filter((type) => kindOf(type) === kind)
          .map(({ name, description }) => entry(addressOfType(name), name, description)),
      ),
    ),
  ];
  const body = html`${trail(REST_PAGE, GRAPH_PAGE, ERRORS_PAGE)}
<p>Send operations to <code>/graphql</code> by POST, over WebSocket or as Server-Sent Events, with
<code>Authorization: Bearer</code> and a key or a token.
<a href="${GRAPH_PAGE.href}/schema.graphql">Download the schema</a> for tools that generate clients.</p>
${filterField('Show what has the words')}
${sections}`;
  return referencePage({ title: GRAPH_PAGE.name, body });
}

const section = (title: string, entries: readonly Html[]): Html =>
  html`<section aria-labelledby="${title}"><h2 id="${title}">${title}</h2><ul>${entries}</ul></section>\n`;

const entry = (href: string, name: string, description: string | null | undefined): Html =>
  html`<li data-entry><a href="${href}"><code>${name}</code></a> ${summary(description)}</li>\n`;

/** Everything about one type; null where the graph has none of this name. */
export function graphTypePage(graph: ShownGraph, name: string): string | null {
  const type = graph.schema.getType(name);
  if (!type || !isShown(type)) return null;
  const uses = usesOf(graph.schema, name);
  const body = html`${trail(GRAPH_PAGE, { href: addressOfType(name), name })}
${membersOf(graph, type)}
${uses.length > 0 ? html`<h2>Used by</h2><ul>${uses.map(useItem)}</ul>` : null}`;
  return referencePage({ title: name, body });
}

const useItem = (use: string): Html => {
  const [type, field] = use.split('.') as [string, string];
  return html`<li><a href="${addressOfType(type)}#${field}">${use}</a></li>\n`;
};

const knownUses = new WeakMap<GraphQLSchema, Map<string, string[]>>();

/** Fields that have a type as theirs or as that of an argument, as `Type.field`. */
function usesOf(schema: GraphQLSchema, name: string): readonly string[] {
  const uses = knownUses.get(schema) ?? allUses(schema);
  knownUses.set(schema, uses);
  return uses.get(name) ?? [];
}

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField;

function allUses(schema: GraphQLSchema): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const note = (type: string, user: string) => {
    const users = uses.get(type) ?? [];
    if (!users.includes(user)) uses.set(type, [...users, user]);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values<AnyField>(type.getFields()))
      for (const { type: used } of [field, ...('args' in field ? field.args : [])])
        note(getNamedType(used).name, `${type.name}.${field.name}`);
  }
  return uses;
}
