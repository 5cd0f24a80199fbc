import type { Supergraph } from '@apollo/federation-internals';
import type { FetchNode } from '@apollo/query-planner';
import {
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { Send, Transports, Variables } from '../../transport/transport.ts';
import { compileKeyCheck } from '../planner-workarounds/keys.ts';
import { merge, objectsAt, pathsAt } from '../run/data.ts';
import type { Data, Path, PlanRun, PlanStep } from '../run/plan-run.ts';
import { addErrors, addUnreadable, isRecord, type Places } from '../run/subgraph-errors.ts';
import { responseNameOf } from './names.ts';
import { type PlanPath, type Steps, stepsOf } from './plan-path.ts';
import { type BuildRepresentation, compileRepresentation } from './representation.ts';
import { compileRewrites } from './rewrites.ts';
import { interfaceNames, typesWithin } from './types.ts';

/** Settings for the compilation of all fetches of one operation. */
export interface FetchSettings {
  /** The schema with all types of the subgraphs, including inaccessible ones. */
  readonly schema: GraphQLSchema;
  readonly federated: Supergraph;
  readonly transports: Transports;
  /** The client's response names, by the private names in the plan. */
  readonly publicNames: ReadonlyMap<string, string>;
}

/** Compiles one request to one subgraph: for the operation's root, or for the entities at a path. */
export function compileFetch(node: FetchNode, path: PlanPath, settings: FetchSettings): PlanStep {
  const transport = settings.transports[node.serviceName];
  if (!transport) throw new Error(`No transport leads to the subgraph ${node.serviceName}.`);
  const send = transport.prepare({ query: node.operation, operationName: node.operationName });
  const fetch = { ...partsOf(node, settings), send, path: stepsOf(path, settings.schema) };
  if (!node.requires) return guarded(fetch, (run) => fetchObject(fetch, run));
  const build = compileRepresentation(node.requires, settings.schema);
  const rewrite = compileRewrites(node.inputRewrites, settings.schema);
  const subgraph = settings.federated.subgraphs().get(node.serviceName)!;
  const isKeyed = compileKeyCheck(node.requires, subgraph, settings.schema);
  const represent: BuildRepresentation =
    !rewrite && !isKeyed
      ? build
      : (entity) => {
          const representation = build(entity);
          if (!representation || isKeyed?.(representation) === false) return null;
          rewrite?.(representation);
          return representation;
        };
  const { schema } = settings;
  const entityFetch = { ...fetch, represent, schema, interfaces: interfaceNames(schema) };
  return guarded(entityFetch, (run) => fetchEntities(entityFetch, run));
}

/** A faulty answer loses only the fields of this fetch. */
const guarded =
  (fetch: Fetch, step: PlanStep): PlanStep =>
  async (run) => {
    try {
      await step(run);
    } catch (error) {
      addUnreadable(run, placesOf(fetch, fetch.path), error);
    }
  };

export interface FetchParts {
  readonly subgraph: string;
  readonly variablesOf: (given: Variables) => Variables;
  /** Applies the plan's rewrites to the answer in place. */
  readonly rewrite: ((data: unknown) => void) | null;
  readonly publicPath: (path: Path) => Path;
  /** Returns the response names of its root fields. */
  readonly names: () => ReadonlySet<string>;
}

/** Returns the parts that every fetch needs, including the first one of a subscription. */
export function partsOf(node: FetchNode, settings: FetchSettings): FetchParts {
  let names: ReadonlySet<string> | undefined;
  return {
    subgraph: node.serviceName,
    variablesOf: picker(node.variableUsages ?? []),
    rewrite: compileRewrites(node.outputRewrites, settings.schema),
    publicPath: publicPaths(node, settings.publicNames),
    names() {
      names ??= rootNames(node.operation);
      return names;
    },
  };
}

interface Fetch extends FetchParts {
  readonly send: Send;
  readonly path: Steps;
}

interface EntityFetch extends Fetch {
  readonly represent: BuildRepresentation;
  readonly interfaces: ReadonlySet<string>;
  readonly schema: GraphQLSchema;
}

async function fetchObject(fetch: Fetch, run: PlanRun): Promise<void> {
  const { send, path, variablesOf } = fetch;
  const targets = path.length > 0 ? objectsAt(run.data, path) : [run.data];
  if (targets.length === 0) return;
  acceptObject(await send(variablesOf(run.variables), run.from), fetch, run, targets, path);
}

/** Merges the answer to a request for the root of an operation, or the event of a subscription. */
export function acceptObject(
  { data, errors }: ExecutionResult,
  fetch: FetchParts,
  run: PlanRun,
  targets: readonly Data[] = [run.data],
  path: Steps = [],
): void {
  const { rewrite, publicPath } = fetch;
  const places = {
    ...placesOf(fetch, path),
    of: (at: Path) => {
      const isAsked = fetch.names().has(at[0] as string);
      return isAsked ? [publicPath([...(pathsAt(run.data, path)[0] ?? []), ...at])] : [];
    },
  };
  const isExplained = addErrors(run, errors, places);
  if (data === undefined || data === null) {
    if (!isExplained) addUnreadable(run, places);
    else {
      run.lost.push({
        paths: () => (path.length > 0 ? pathsAt(run.data, path).map(publicPath) : [[]]),
        names: () => new Set([...fetch.names()].map((name) => publicPath([name])[0] as string)),
      });
    }
  } else if (!isRecord(data)) addUnreadable(run, places);
  else {
    rewrite?.(data);
    for (const target of targets) merge(target, data);
  }
}

async function fetchEntities(fetch: EntityFetch, run: PlanRun): Promise<void> {
  const entities = objectsAt(run.data, fetch.path);
  const wanted = distinct(entities, fetch.represent);
  if (wanted.representations.length === 0) return;
  const representations = { list: wanted.representations, keys: wanted.keys };
  const { data, errors } = await fetch.send(fetch.variablesOf(run.variables), run.from, representations);
  const pathOf = entityPaths(fetch, run);
  const failed = new Set<number>();
  const places = { ...placesOf(fetch, fetch.path), of: errorPaths(fetch, wanted, pathOf, failed) };
  const isExplained = addErrors(run, errors, places);
  const answers = isRecord(data) ? (data['_entities'] ?? null) : null;
  if (answers === null && isExplained) return;
  if (!Array.isArray(answers) || answers.length !== wanted.representations.length) {
    addUnreadable(run, places);
    return;
  }
  const [unknown, lost]: [number[], number[]] = [[], []];
  let isMisfit = false;
  answers.forEach((answer: unknown, index) => {
    const group = wanted.groups[index]!;
    if (answer === null) {
      (failed.has(index) ? lost : unknown).push(...group);
    } else if (!isRecord(answer) || !isFitting(answer, wanted.representations[index]!, fetch))
      isMisfit = true;
    else acceptEntity(answer, group, entities, fetch);
  });
  if (unknown.length > 0) run.unknown.push(() => unknown.map(pathOf));
  if (lost.length > 0) run.lost.push({ paths: () => lost.map(pathOf), names: null });
  if (isMisfit) addUnreadable(run, places);
}

function acceptEntity(
  answer: Data,
  group: readonly number[],
  entities: readonly Data[],
  { rewrite, interfaces }: EntityFetch,
): void {
  const first = entities[group[0]!]!;
  if (rewrite) {
    answer['__typename'] ??= first['__typename'];
    rewrite(answer);
  }
  // A subgraph that knows only the interface of an object returns the interface as its type, which is no
  // information.
  const isInterfaceName = interfaces.has(answer['__typename'] as string);
  if (isInterfaceName && first['__typename'] !== undefined) delete answer['__typename'];
  for (const entity of group) merge(entities[entity]!, answer);
}

/**
 * Returns whether an answer can be about the entity. A subgraph may know a narrower or wider type than the
 * gateway.
 */
function isFitting({ __typename: type }: Data, representation: Data, { schema }: EntityFetch): boolean {
  const asked = representation['__typename'] as string;
  if (type === undefined || type === asked) return true;
  if (typeof type !== 'string' || !schema.getType(type)) return false;
  return typesWithin(schema, asked).has(type) || typesWithin(schema, type).has(asked);
}

/** Distinct representations of entities; equal ones are sent once. */
interface Distinct {
  readonly representations: readonly Data[];
  /** The representations as JSON. */
  readonly keys: readonly string[];
  /** The positions of its entities, for each representation. */
  readonly groups: readonly (readonly number[])[];
}

function distinct(entities: readonly Data[], represent: BuildRepresentation): Distinct {
  const positions = new Map<string, number[]>();
  const representations: Data[] = [];
  entities.forEach((entity, index) => {
    const representation = represent(entity);
    if (!representation) return;
    const key = JSON.stringify(representation);
    const group = positions.get(key);
    if (group) group.push(index);
    else {
      positions.set(key, [index]);
      representations.push(representation);
    }
  });
  return { representations, keys: [...positions.keys()], groups: [...positions.values()] };
}

/** Returns the path of each entity in the client's answer. */
function entityPaths({ path, publicPath }: EntityFetch, run: PlanRun): (entity: number) => Path {
  let known: Path[] | undefined;
  return (entity) => {
    known ??= pathsAt(run.data, path);
    return publicPath(known[entity]!);
  };
}

/**
 * Returns the paths of an error in the client's answer; one entity of a request may occur at several paths.
 *
 * @param failed - collects the representations with errors
 */
const errorPaths =
  (
    { publicPath }: EntityFetch,
    { groups }: Distinct,
    pathOf: (entity: number) => Path,
    failed: Set<number>,
  ) =>
  ([root, index, ...rest]: Path): readonly Path[] => {
    const group = root === '_entities' && typeof index === 'number' ? groups[index] : undefined;
    if (group) failed.add(index as number);
    return (group ?? []).map((entity) => [...pathOf(entity), ...publicPath(rest)]);
  };

/** Path of the error of a whole fetch: the object or list that the path of the fetch leads to. */
function placesOf({ subgraph, publicPath }: FetchParts, steps: Steps): Omit<Places, 'of'> {
  const list = steps.indexOf('@');
  const path = (list < 0 ? steps : steps.slice(0, list)).filter((step) => typeof step === 'string');
  return { subgraph, whole: () => (path.length > 0 ? publicPath(path) : undefined) };
}

function rootNames(operation: string): ReadonlySet<string> {
  const names = new Set<string>();
  const ast = getOperationAST(parse(operation, { noLocation: true }))!;
  const add = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add(responseNameOf(selection));
      else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
    }
  };
  add(ast.selectionSet);
  return names;
}

function picker(names: readonly string[]): (given: Variables) => Variables {
  const none = {};
  if (names.length === 0) return () => none;
  return (given) => {
    const picked: Record<string, unknown> = {};
    for (const name of names) if (given[name] !== undefined) picked[name] = given[name];
    return picked;
  };
}

/** Converts paths to the client's response names, because the planner and private names rename some. */
function publicPaths(node: FetchNode, publicNames: ReadonlyMap<string, string>): (path: Path) => Path {
  const names = new Map(publicNames);
  for (const rewrite of node.outputRewrites ?? []) {
    if (rewrite.kind !== 'KeyRenamer') continue;
    const to = rewrite.renameKeyTo;
    names.set(rewrite.path.at(-1)!, publicNames.get(to) ?? to);
  }
  if (names.size === 0) return (path) => path;
  return (path) => path.map((key) => (typeof key === 'string' ? (names.get(key) ?? key) : key));
}
