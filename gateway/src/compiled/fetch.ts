import type { Supergraph } from '@apollo/federation-internals';
import type { FetchNode } from '@apollo/query-planner';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { Send, Transports, Variables } from '../transport.ts';
import { objectsAt, pathsAt } from './entities.ts';
import { compileKeyCheck } from './keys.ts';
import { merge } from './merge.ts';
import { type BuildRepresentation, compileRepresentation } from './representation.ts';
import { compileRewrites } from './rewrites.ts';
import type { Data, Path, PlanError, Run, Step } from './run.ts';
import { interfaceNames } from './types.ts';

/** What every fetch of one operation is compiled with. */
export interface FetchSettings {
  /** With all that subgraphs know, inaccessible types too. */
  readonly schema: GraphQLSchema;
  readonly federated: Supergraph;
  readonly transports: Transports;
  /** Response names as the client wrote them, by the private ones of the plan. */
  readonly publicNames: ReadonlyMap<string, string>;
}

type PlanPath = readonly (string | number)[];
type ErrorPath = (path: Path) => readonly (Path | undefined)[];

/** Readies one request to one subgraph: for the operation's root, or for the entities at a path. */
export function compileFetch(node: FetchNode, path: PlanPath, settings: FetchSettings): Step {
  const transport = settings.transports[node.serviceName];
  if (!transport) throw new Error(`No transport leads to the subgraph ${node.serviceName}.`);
  const send = transport.prepare({ query: node.operation, operationName: node.operationName });
  const fetch = { ...partsOf(node, settings), send, path };
  if (!node.requires) return (run) => fetchObject(fetch, run);
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
  const entityFetch = { ...fetch, represent, interfaces: interfaceNames(settings.schema) };
  return (run) => fetchEntities(entityFetch, run);
}

export interface FetchParts {
  readonly variablesOf: (given: Variables) => Variables;
  /** Mends what was answered, in place. */
  readonly rewrite: ((data: unknown) => void) | null;
  readonly publicPath: (path: Path) => Path;
}

/** What a fetch needs however it is sent; a subscription's primary too. */
export function partsOf(node: FetchNode, settings: FetchSettings): FetchParts {
  return {
    variablesOf: picker(node.variableUsages ?? []),
    rewrite: compileRewrites(node.outputRewrites, settings.schema),
    publicPath: publicPaths(node, settings.publicNames),
  };
}

interface Fetch extends FetchParts {
  readonly send: Send;
  readonly path: PlanPath;
}

interface EntityFetch extends Fetch {
  readonly represent: BuildRepresentation;
  readonly interfaces: ReadonlySet<string>;
}

async function fetchObject({ send, path, variablesOf, rewrite, publicPath }: Fetch, run: Run): Promise<void> {
  const targets = path.length > 0 ? objectsAt(run.data, path) : [run.data];
  if (targets.length === 0) return;
  const result = await send(variablesOf(run.variables), run.from);
  const prefix = path.length > 0 && result.errors ? pathsAt(run.data, path)[0]! : [];
  acceptObject(result, { rewrite, publicPath }, run, targets, prefix);
}

/** Takes in the answer to a request for the root of an operation, or an event of a subscription. */
export function acceptObject(
  result: ExecutionResult,
  { rewrite, publicPath }: Pick<FetchParts, 'rewrite' | 'publicPath'>,
  run: Run,
  targets: readonly Data[] = [run.data],
  prefix: Path = [],
): void {
  if (result.errors) addErrors(run, result.errors, (path) => [publicPath([...prefix, ...path])]);
  if (!result.data) return;
  rewrite?.(result.data);
  for (const target of targets) merge(target, result.data);
}

async function fetchEntities(fetch: EntityFetch, run: Run): Promise<void> {
  const entities = objectsAt(run.data, fetch.path);
  const wanted = distinct(entities, fetch.represent);
  if (wanted.representations.length === 0) return;
  const representations = { list: wanted.representations, keys: wanted.keys };
  const result = await fetch.send(fetch.variablesOf(run.variables), run.from, representations);
  if (result.errors) addErrors(run, result.errors, entityPaths(fetch, run, wanted));
  if (!result.data) return;
  const answers = result.data['_entities'];
  if (!Array.isArray(answers) || answers.length !== wanted.representations.length) {
    run.errors.push(unreadable(fetch.path, fetch.publicPath));
    return;
  }
  answers.forEach((answer: Data | null, index) => {
    if (!answer) return;
    const group = wanted.groups[index]!;
    if (fetch.rewrite) {
      answer['__typename'] ??= entities[group[0]!]!['__typename'];
      fetch.rewrite(answer);
    }
    // What an object is called by a subgraph that knows no more of it than its interface says nothing new.
    const isVague = fetch.interfaces.has(answer['__typename'] as string);
    if (isVague && entities[group[0]!]!['__typename'] !== undefined) delete answer['__typename'];
    for (const entity of group) merge(entities[entity]!, answer);
  });
}

/** Entities that are told apart by what the subgraph is told of them. */
interface Distinct {
  readonly representations: readonly Data[];
  /** The representations as JSON. */
  readonly keys: readonly string[];
  /** Per representation, the positions of its entities. */
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

function entityPaths({ path, publicPath }: EntityFetch, run: Run, { groups }: Distinct): ErrorPath {
  let known: Path[] | undefined;
  return (errorPath) => {
    const [root, index, ...rest] = errorPath;
    if (root !== '_entities' || typeof index !== 'number') return [undefined];
    known ??= pathsAt(run.data, path);
    return (groups[index] ?? []).map((entity) => publicPath([...known![entity]!, ...rest]));
  };
}

function addErrors(run: Run, errors: NonNullable<ExecutionResult['errors']>, pathsOf: ErrorPath): void {
  for (const { message, path, extensions } of errors) {
    for (const at of path ? pathsOf(path) : [undefined]) {
      run.errors.push({ message, ...(at && { path: at }), extensions });
    }
  }
}

function unreadable(path: PlanPath, publicPath: (path: Path) => Path): PlanError {
  const list = path.indexOf('@');
  return {
    message: 'A subgraph answered something else than it was asked.',
    path: publicPath(list < 0 ? path : path.slice(0, list)),
    extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'SUBGRAPH_ANSWER_INVALID' },
  };
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

/** The planner renames some response names too; both kinds are told to the client as he wrote them. */
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
