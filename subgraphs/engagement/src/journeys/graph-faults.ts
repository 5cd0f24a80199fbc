import { DAY_MS } from '@loyalty/platform/base/clock';
import type { z } from 'zod';
import { catalogByKey, hasField } from '../events/catalog-events.ts';
import {
  durationMs,
  type EventTrigger,
  edgesOf,
  type JourneyDefinition,
  type JourneyNode,
  waitingTypes,
} from './journey-definition.ts';

/** A fault of a definition: its path and the broken rule. */
export interface GraphFault {
  /** `.nodes[3].otherwise` */
  readonly path: string;
  readonly rule: string;
}

const DAYS_MAX = 730;

/** Returns the first fault of a graph with a valid shape; null if there is none. */
export function graphFault({ start, nodes }: Pick<JourneyDefinition, 'start' | 'nodes'>): GraphFault | null {
  const places = new Map<string, number>();
  for (const [place, { id }] of nodes.entries()) {
    if (places.has(id)) return { path: `.nodes[${place}].id`, rule: `must not be ${id} again` };
    places.set(id, place);
  }
  if (!places.has(start)) return { path: '.start', rule: 'must be the id of a node' };
  return edgeFault(nodes, places) ?? orphanFault(nodes, start, places) ?? timeFault(nodes, places);
}

type Places = ReadonlyMap<string, number>;

function edgeFault(nodes: readonly JourneyNode[], places: Places): GraphFault | null {
  for (const [place, node] of nodes.entries()) {
    const edge = edgesOf(node).find(({ to }) => to !== null && !places.has(to));
    if (edge)
      return { path: `.nodes[${place}].${edge.path}`, rule: 'must be the id of a node, or null for the end' };
    if (node.type !== 'split') continue;
    const keys = node.branches.map(({ key }) => key);
    const again = keys.findIndex((key, index) => keys.indexOf(key) < index);
    if (again >= 0)
      return { path: `.nodes[${place}].branches[${again}].key`, rule: `must not be ${keys[again]} again` };
  }
  return null;
}

function orphanFault(nodes: readonly JourneyNode[], start: string, places: Places): GraphFault | null {
  const reached = new Set([start]);
  // The iteration of a set includes elements that are added meanwhile.
  for (const id of reached)
    for (const { to } of edgesOf(nodes[places.get(id)!]!)) if (to !== null) reached.add(to);
  const orphan = nodes.findIndex(({ id }) => !reached.has(id));
  return orphan < 0 ? null : { path: `.nodes[${orphan}]`, rule: 'is not reached from the start' };
}

const tooLong: GraphFault = {
  path: '.nodes',
  rule: `must take at most ${DAYS_MAX} days in sum, each loop counted once`,
};

function timeFault(nodes: readonly JourneyNode[], places: Places): GraphFault | null {
  const endless = endlessEdge(nodes, places);
  if (endless) return endless;
  return longestMs(nodes, places) > DAYS_MAX * DAY_MS ? tooLong : null;
}

/** Returns an edge that closes a loop in which no time passes. */
function endlessEdge(nodes: readonly JourneyNode[], places: Places): GraphFault | null {
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (place: number): GraphFault | null => {
    const node = nodes[place]!;
    if (done.has(place) || waitingTypes.has(node.type)) return null;
    open.add(place);
    for (const { path, to } of edgesOf(node)) {
      if (to === null) continue;
      const target = places.get(to)!;
      const rule = `must not lead back to ${to} without a delay, delayUntil or waitForEvent on the way`;
      if (open.has(target)) return { path: `.nodes[${place}].${path}`, rule };
      const found = visit(target);
      if (found) return found;
    }
    open.delete(place);
    done.add(place);
    return null;
  };
  for (const place of nodes.keys()) {
    const found = visit(place);
    if (found) return found;
  }
  return null;
}

function waitMs(node: JourneyNode): number {
  if (node.type === 'delay') return durationMs(node);
  if (node.type === 'waitForEvent') return durationMs(node.timeout);
  if (node.type === 'delayUntil') return (node.weekdays ? 7 : 1) * DAY_MS;
  return 0;
}

/** Returns the duration of the longest path. Each node of a loop counts once. */
function longestMs(nodes: readonly JourneyNode[], places: Places): number {
  const targets = nodes.map((node) =>
    edgesOf(node).flatMap(({ to }) => (to === null ? [] : places.get(to)!)),
  );
  const reach = nodes.map((_, place) => reachedFrom(place, targets));
  const loopOf = (place: number) => [...reach[place]!].filter((other) => reach[other]!.has(place));
  const known = new Map<number, number>();
  const longestFrom = (place: number): number => {
    const loop = new Set([place, ...loopOf(place)]);
    const first = Math.min(...loop);
    const kept = known.get(first);
    if (kept !== undefined) return kept;
    const beyond = [...loop].flatMap((member) => targets[member]!).filter((target) => !loop.has(target));
    const own = [...loop].reduce((sum, member) => sum + waitMs(nodes[member]!), 0);
    const longest = own + Math.max(0, ...beyond.map(longestFrom));
    known.set(first, longest);
    return longest;
  };
  return Math.max(...nodes.map((_, place) => longestFrom(place)));
}

function reachedFrom(place: number, targets: readonly (readonly number[])[]): ReadonlySet<number> {
  const reached = new Set(targets[place]!);
  for (const each of reached) for (const target of targets[each]!) reached.add(target);
  return reached;
}

const typeRule = 'must be an event of the catalog about a member (GET /api/v2/events/catalog)';

/** Returns the fault of an event that a journey listens to; null if there is none. */
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

/** Returns the schema of a single value: for a list, of its elements; null if values are objects. */
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
