import type { Caller } from '@loyalty/platform/base/caller';
import type { Access } from '@loyalty/platform/identity/access';
import { refusal } from '@loyalty/platform/identity/refusal';
import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { type Demands, demandsOfOwners, isContainer, nounOf } from './demands.ts';
import { own, owners, plain } from './owners.ts';

/** A path to a field, and the callers who can take it although the owner of the data requires more access. */
export interface Leak {
  readonly path: string;
  readonly callers: readonly string[];
}

export interface Walked {
  readonly leaks: readonly Leak[];
  /** The number of paths from a root to a field; a cycle is followed once. */
  readonly paths: number;
}

export interface NamedCaller {
  readonly name: string;
  readonly caller: Caller;
}

/** A set of callers: bit `n` stands for caller `n`. */
type Callers = bigint;

interface Walk {
  readonly allowed: (type: string, field: string) => Callers;
  readonly demanded: Demands<Callers>;
  readonly leaks: Map<string, Leak>;
  readonly names: (callers: Callers) => string[];
  paths: number;
}

/**
 * Walks every path from the root types, each type once on a path, and finds the callers who reach data that
 * its owner does not allow them.
 */
export function walkAccess(
  schema: GraphQLSchema,
  access: ReadonlyMap<string, Access>,
  callers: readonly NamedCaller[],
): Walked {
  const everybody = (1n << BigInt(callers.length)) - 1n;
  const known = new Map<Access, Callers>();
  const passing = (asked: Access): Callers => {
    const mask =
      known.get(asked) ??
      callers.reduce(
        (bits, { caller }, at) => (refusal(caller, asked) ? bits : bits | (1n << BigInt(at))),
        0n,
      );
    known.set(asked, mask);
    return mask;
  };
  const walk: Walk = {
    allowed: (type, field) => {
      const asked = access.get(`${type}.${field}`);
      return asked ? passing(asked) : everybody;
    },
    demanded: demandsOfOwners(schema, access, (demands) =>
      demands.reduce((bits, each) => bits | passing(each), 0n),
    ),
    leaks: new Map(),
    names: (bits) => callers.filter((_, at) => (bits >> BigInt(at)) & 1n).map(({ name }) => name),
    paths: 0,
  };
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const mask = walk.allowed(root!.name, field.name);
      const type = getNamedType(field.type);
      const edge = `${root!.name}.${field.name}`;
      walk.paths += 1;
      if (isObjectType(type))
        walkType(walk, type, [edge], [], mask, Object.hasOwn(own, edge) ? type.name : null);
    }
  }
  return { leaks: [...walk.leaks.values()], paths: walk.paths };
}

/** @param exempt - the type whose fields belong to the caller on this path */
function walkType(
  walk: Walk,
  type: GraphQLObjectType,
  path: readonly string[],
  above: readonly string[],
  callers: Callers,
  exempt: string | null,
): void {
  for (const field of Object.values(type.getFields())) {
    const edge = `${type.name}.${field.name}`;
    const reaching = callers & walk.allowed(type.name, field.name);
    if (reaching === 0n) continue;
    walk.paths += 1;
    const target = getNamedType(field.type);
    const isOwn = exempt !== null && (type.name === exempt || owners[type.name]?.of === exempt);
    if (!isOwn) check(walk, [...path, field.name], edge, isObjectType(target) ? target.name : null, reaching);
    if (!isObjectType(target) || target === type || above.includes(target.name)) continue;
    const inherited = isOwn ? exempt : null;
    const within = Object.hasOwn(own, edge) ? target.name : inherited;
    walkType(walk, target, [...path, field.name], [...above, type.name], reaching, within);
  }
}

function check(
  walk: Walk,
  path: readonly string[],
  edge: string,
  target: string | null,
  reaching: Callers,
): void {
  const [type, field] = edge.split('.') as [string, string];
  if (field === 'id' || Object.hasOwn(plain, type)) return;
  const { list, single, printed } = walk.demanded;
  let permitted = printed(edge);
  if (isContainer(type)) {
    // The nodes are checked on their own; the other fields of a page are data of its nodes.
    if (target === nounOf(type) || (target && isContainer(target))) return;
    permitted |= list(nounOf(type));
  } else if (target && isContainer(target)) permitted |= list(nounOf(target));
  else permitted |= single(type) | (target && !Object.hasOwn(plain, target) ? single(target) : 0n);
  const leaking = reaching & ~permitted;
  if (leaking === 0n || walk.leaks.has(edge)) return;
  walk.leaks.set(edge, { path: path.join('.'), callers: walk.names(leaking) });
}
