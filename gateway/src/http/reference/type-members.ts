import { type Html, html } from '@loyalty/platform/base/html';
import type { Access } from '@loyalty/platform/identity/access';
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
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { addressOfType, described, type ShownGraph } from './reference-html.ts';

/** What a type is and has: fields with arguments, values, or the types it stands for. */
export function membersOf(graph: ShownGraph, type: GraphQLNamedType): Html {
  return html`<p>${described(type.description)}</p>${specified(type)}${relatives(graph.schema, type)}${parts(
    graph,
    type,
  )}`;
}

function parts({ access }: ShownGraph, type: GraphQLNamedType): Html {
  if (isEnumType(type))
    return list(
      'Values',
      type.getValues().map(({ name, description }) => part(name, html``, described(description))),
    );
  if (isInputObjectType(type)) return list('Fields', Object.values(type.getFields()).map(inputPart));
  if (!isObjectType(type) && !isInterfaceType(type)) return html``;
  const fields = Object.values(type.getFields());
  return list(
    'Fields',
    fields.map((field) => fieldPart(field, access.get(`${type.name}.${field.name}`))),
  );
}

const list = (title: string, items: readonly Html[]): Html => html`<h2>${title}</h2><dl>${items}</dl>\n`;

const part = (name: string, type: Html, text: Html): Html =>
  html`<dt id="${name}"><a href="#${name}"><code>${name}</code></a></dt><dd>${type} ${text}</dd>\n`;

const inputPart = (field: GraphQLInputField): Html =>
  part(field.name, html`${typeLink(field.type)}${defaultOf(field)}<br>`, described(field.description));

const fieldPart = (field: GraphQLField<unknown, unknown>, access: Access | undefined): Html =>
  part(
    field.name,
    html`${typeLink(field.type)}<br>`,
    html`${described(field.description)}${
      field.args.length > 0 ? html`<ul>${field.args.map(argumentItem)}</ul>` : null
    }${access ? html`<p><small>${accessWords(access)}</small></p>` : null}`,
  );

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
  const named = getNamedType(type);
  return isSpecifiedScalarType(named)
    ? html`<code>${named.name}</code>`
    : html`<a href="${addressOfType(named.name)}"><code>${named.name}</code></a>`;
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

const specified = (type: GraphQLNamedType): Html | null =>
  isScalarType(type) && type.specifiedByURL
    ? html`<p>Specification: <a href="${type.specifiedByURL}" rel="noreferrer">${type.specifiedByURL}</a></p>`
    : null;

function relatives(schema: GraphQLSchema, type: GraphQLNamedType): Html | null {
  if (isObjectType(type) && type.getInterfaces().length > 0)
    return html`<p>Implements ${linksTo(type.getInterfaces())}.</p>`;
  if (!isUnionType(type) && !isInterfaceType(type)) return null;
  return html`<p>One of ${linksTo(schema.getPossibleTypes(type))}.</p>`;
}

const linksTo = (types: readonly GraphQLNamedType[]): Html[] =>
  types.map((type, index) => html`${index > 0 ? ', ' : ''}${typeLink(type)}`);
