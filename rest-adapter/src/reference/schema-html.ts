import type { Schema } from '../openapi/openapi-schema.ts';
import { escapeHtml, inlineHtml } from './markup.ts';

/** A schema as nested lists; named schemas are links to their own entry. */
export function schemaHtml(schema: Schema): string {
  const type = `<span class="type">${typeHtml(schema)}</span>`;
  return `${type}${boundsHtml(schema)}${fieldsHtml(inner(schema))}`;
}

/** The address of a named schema on the page. */
export const schemaAnchor = (name: string): string => `schema-${name}`;

/** What a list holds, or the schema itself. */
function inner(schema: Schema): Schema {
  const items = schema['items'] as Schema | undefined;
  return items ? inner(items) : schema;
}

function typeHtml(schema: Schema): string {
  const reference = schema['$ref'] as string | undefined;
  if (reference) {
    const name = reference.split('/').at(-1)!;
    return `<a class="named" href="#${schemaAnchor(name)}">${escapeHtml(name)}</a>`;
  }
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices) return choices.map(typeHtml).join(' or ');
  const items = schema['items'] as Schema | undefined;
  if (items) return `list of ${typeHtml(items)}`;
  const types = [schema['type'] ?? 'any value'].flat().join(' or ');
  const format = schema['format'] ? `, ${String(schema['format'])}` : '';
  return escapeHtml(`${types}${format}`);
}

function boundsHtml(schema: Schema): string {
  const values = schema['enum'] as unknown[] | undefined;
  const said = [
    ...(values ? [`one of ${values.map((each) => `\`${String(each)}\``).join(', ')}`] : []),
    ...(schema['minimum'] === undefined ? [] : [`from ${String(schema['minimum'])}`]),
    ...(schema['maximum'] === undefined ? [] : [`to ${String(schema['maximum'])}`]),
    ...(schema['maxLength'] === undefined ? [] : [`at most ${String(schema['maxLength'])} characters`]),
    ...(schema['default'] === undefined ? [] : [`default \`${JSON.stringify(schema['default'])}\``]),
  ];
  return said.length > 0 ? ` <span class="bounds">${inlineHtml(said.join(', '))}</span>` : '';
}

function fieldsHtml(schema: Schema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  if (properties.length === 0) return '';
  const required = new Set((schema['required'] ?? []) as string[]);
  const fields = properties.map(([name, property]) => {
    const mark = required.has(name) ? ' <span class="required">required</span>' : '';
    const description = property['description'];
    const text = typeof description === 'string' ? ` – ${inlineHtml(description)}` : '';
    return `<li><code>${escapeHtml(name)}</code> ${schemaHtml({ ...property })}${mark}${text}</li>`;
  });
  return `<ul class="fields">${fields.join('')}</ul>`;
}
