import type { z } from 'zod';
import { catalogByKey, hasField } from '../../events/catalog-events.ts';
import type { GraphFault } from './graph-faults.ts';
import type { EventTrigger } from './journey-definition.ts';

const typeRule = 'must be an event of the catalog about a member (GET /api/v2/events/catalog)';

/** What is wrong with an event that a journey listens to; null where nothing is. */
export function triggerFault({ type, where = {} }: EventTrigger): GraphFault | null {
  const event = catalogByKey.get(type);
  if (!event || !hasField(event, 'memberId')) return { path: '.type', rule: typeRule };
  const { shape } = event.type.schema as unknown as z.ZodObject;
  for (const [field, wanted] of Object.entries(where)) {
    const kind = Object.hasOwn(shape, field) ? valueSchema(shape[field] as z.ZodType) : null;
    if (!kind) return { path: `.where.${field}`, rule: `is no field of ${type}; it has ${fieldsOf(shape)}` };
    const values = typeof wanted === 'object' ? wanted : [wanted];
    const wrong = values.findIndex((value) => !kind.safeParse(value).success);
    const place = typeof wanted === 'object' ? `[${wrong}]` : '';
    if (wrong >= 0) return { path: `.where.${field}${place}`, rule: `must be ${kindOf(kind)}` };
  }
  return null;
}

const fieldsOf = (shape: z.ZodRawShape): string => Object.keys(shape).join(', ');

interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
}
const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** Of one value: of a list, what its elements are; null where values are objects. */
function valueSchema(schema: z.ZodType): z.ZodType | null {
  const { type, innerType, element } = definitionOf(schema);
  if (innerType) return valueSchema(innerType);
  if (type === 'array') return valueSchema(element!);
  return type === 'object' || type === 'record' ? null : schema;
}

function kindOf(schema: z.ZodType): string {
  const { type, format } = definitionOf(schema);
  if (type === 'enum') return `one of ${(schema as z.ZodEnum).options.join(', ')}`;
  if (format === 'uuid' || format === 'guid') return 'a UUID';
  const kinds: Readonly<Record<string, string>> = {
    number: 'a number',
    int: 'a number',
    boolean: 'true or false',
  };
  return kinds[type] ?? 'text';
}
