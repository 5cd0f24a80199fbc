import { type Html, html } from '@loyalty/platform/base/html';
import type { Access, AccessMap } from '@loyalty/platform/identity/access';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { described, filterField, GRAPH_PAGE, referencePage, trail } from './reference-page.ts';

/** The graph as its page shows it. */
export interface ShownGraph {
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
}

/** The address of a type on the page of the graph. */
export const addressOfType = (name: string): string => `${GRAPH_PAGE.href}#${name}`;

/** Whether the page has a type of this name. */
export function hasType(schema: GraphQLSchema, name: string): boolean {
  const type = schema.getType(name);
  return type !== undefined && !isIntrospectionType(type) && !isSpecifiedScalarType(type);
}

const ROOTS = ['Query', 'Mutation', 'Subscription'];
const KINDS = ['Operations', 'Types', 'Interfaces and unions', 'Inputs', 'Enums', 'Scalars'] as const;

function kindOf(type: GraphQLNamedType): (typeof KINDS)[number] {
  if (ROOTS.includes(type.name)) return 'Operations';
  if (isEnumType(type)) return 'Enums';
  if (isInputObjectType(type)) return 'Inputs';
  if (isScalarType(type)) return 'Scalars';
  return isInterfaceType(type) || isUnionType(type) ? 'Interfaces and unions' : 'Types';
}

/** Every type with its fields or values, closed at first; the filter and the anchors open them. */
export function graphPage({ schema, access }: ShownGraph): string {
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => hasType(schema, name))
    .sort((one, other) => ROOTS.indexOf(one.name) - ROOTS.indexOf(other.name) || compareNames(one, other));
  const body = html`${trail()}
<p>Send operations to <code>/graphql</code> by POST, over WebSocket or as Server-Sent Events, with
<code>Authorization: Bearer</code> and a key or a token.
<a href="${GRAPH_PAGE.href}/schema.graphql">Download the schema</a> for tools that generate clients.</p>
${filterField}
${KINDS.map(
  (kind) =>
    html`<section><h2>${kind}</h2>${types
      .filter((type) => kindOf(type) === kind)
      .map((type) => typeEntry(type, { schema, access }))}</section>\n`,
)}`;
  return referencePage({ title: GRAPH_PAGE.name, body });
}

const compareNames = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name.localeCompare(other.name);

const typeEntry = (type: GraphQLNamedType, { schema, access }: ShownGraph): Html =>
  html`<details id="${type.name}"><summary><code>${type.name}</code></summary>
<p>${described(type.description)}</p>${relatives(schema, type)}
<dl>${membersOf(type, access)}</dl></details>\n`;

function membersOf(type: GraphQLNamedType, access: AccessMap): Html[] {
  const entry = (name: string, about: Html, text: Html) =>
    html`<div data-entry id="${type.name}.${name}"><dt>
<a href="#${type.name}.${name}"><code>${name}</code></a> ${about}</dt><dd>${text}</dd></div>\n`;
  if (isEnumType(type))
    return type.getValues().map(({ name, description }) => entry(name, html``, described(description)));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) =>
      entry(field.name, html`${typeLink(field.type)}${defaultOf(field)}`, described(field.description)),
    );
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields())
    .sort(ROOTS.includes(type.name) ? compareNames : () => 0)
    .map((field) =>
      entry(field.name, typeLink(field.type), fieldText(field, access.get(`${type.name}.${field.name}`))),
    );
}

const fieldText = ({ description, args }: GraphQLField<unknown, unknown>, access: Access | undefined): Html =>
  html`${described(description)}${
    args.length > 0 ? html`<ul>${args.map(argumentItem)}</ul>` : null
  }${access ? html`<p><small>${accessWords(access)}</small></p>` : null}`;

const argumentItem = (argument: GraphQLArgument): Html =>
  html`<li><code>${argument.name}</code>: ${typeLink(argument.type)}${defaultOf(argument)} ${described(
    argument.description,
  )}</li>\n`;

function defaultOf({ defaultValue, type }: GraphQLArgument | GraphQLInputField): Html | null {
  if (defaultValue === undefined) return null;
  const value = isEnumType(getNamedType(type)) ? String(defaultValue) : JSON.stringify(defaultValue);
  return html` = <code>${value}</code>`;
}

function typeLink(type: GraphQLType): Html {
  if (isNonNullType(type)) return html`${typeLink(type.ofType)}!`;
  if (isListType(type)) return html`[${typeLink(type.ofType)}]`;
  const { name } = getNamedType(type);
  return isSpecifiedScalarType(getNamedType(type))
    ? html`<code>${name}</code>`
    : html`<a href="#${name}"><code>${name}</code></a>`;
}

function accessWords({ scopes, role, module, callers, liveOnly }: Access): string {
  const words = [
    `For: ${callers.join(', ')}.`,
    scopes.length > 0 && `Scopes: ${scopes.map((all) => all.join(' and ')).join(', or ')}.`,
    role && `Role of a user: ${role.toLowerCase()} at least.`,
    module && `Module: ${module}.`,
    liveOnly && 'Not in test mode.',
  ];
  return words.filter(Boolean).join(' ');
}

/** The interfaces of a type, the types of an interface or union, the specification of a scalar. */
function relatives(schema: GraphQLSchema, type: GraphQLNamedType): Html | null {
  if (isScalarType(type) && type.specifiedByURL)
    return html`<p>Specification: <a href="${type.specifiedByURL}">${type.specifiedByURL}</a></p>`;
  if (isObjectType(type) && type.getInterfaces().length > 0)
    return html`<p>Implements ${linksTo(type.getInterfaces())}.</p>`;
  if (!isUnionType(type) && !isInterfaceType(type)) return null;
  return html`<p>One of ${linksTo(schema.getPossibleTypes(type))}.</p>`;
}

const linksTo = (types: readonly GraphQLNamedType[]): Html[] =>
  types.map((type, index) => html`${index > 0 ? ', ' : ''}${typeLink(type)}`);
