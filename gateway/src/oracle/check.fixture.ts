import { type DocumentNode, type FieldNode, getOperationAST, getVariableValues, visit } from 'graphql';
import { withResolvedConditions } from '../executor/codegen/resolved-conditions.ts';
import { apollo } from './apollo.fixture.ts';
import type { Case, ExecutorFailure, ExecutorOutcome } from './case.fixture.ts';
import { differences, misplaced } from './comparison.fixture.ts';
import { type Faults, fieldFaults, isMissing, noFaults, outageOf } from './faults.fixture.ts';
import { ours } from './ours.fixture.ts';
import { wholeGraph } from './whole-graph.fixture.ts';
import type { World } from './world.fixture.ts';

/** A wrong answer of our executor. */
export interface Difference {
  readonly operation: Case;
  readonly faults: Faults;
  readonly found: readonly string[];
  /** The right outcome: of the whole graph, without faults. */
  readonly right: ExecutorOutcome;
  readonly apollo: ExecutorOutcome;
  readonly ours: ExecutorOutcome;
}

/** The result of comparing one operation. */
export interface Verdict {
  readonly difference: Difference | null;
  /** True if Apollo is wrong without any fault. */
  readonly isApolloWrong: boolean;
  /** True if the planner throws, or makes the same wrong plan for both. */
  readonly isPlannerWrong: boolean;
  /** True if Apollo's outcome under faults was right and could be compared. */
  readonly isComparedUnderFaults: boolean;
}

/**
 * Runs an operation on all executors. Without faults, plain execution of the whole graph gives the right
 * answer. With faults, Apollo's answer is right if it was right without them and its plan is the same.
 */
export async function check(world: World, operation: Case, seed: number): Promise<Verdict> {
  const right = await wholeGraph(world, operation, noFaults);
  const stock = await apollo(world, operation, noFaults);
  const own = await ours(world, operation, noFaults);
  const isApolloWrong = differences(right, stock).length > 0;
  const isSame = differences(stock, own).length === 0;
  const isPlannerWrong = isApolloWrong && (isSame || (hasThrown(stock) && hasThrown(own)));
  const resolved = resolvedCase(operation, world);
  const isResolvedRight = differences(right, await wholeGraph(world, resolved, noFaults)).length === 0;
  const isComparedUnderFaults =
    !isApolloWrong && isResolvedRight && !isPlannedOtherwise(operation.document, world);
  const verdict = { isApolloWrong, isPlannerWrong, isComparedUnderFaults };
  const found = isPlannerWrong ? [] : differences(right, own);
  const faultless = { operation, faults: noFaults, found, right, apollo: stock, ours: own };
  if (found.length > 0) return { ...verdict, difference: faultless };
  if (!isComparedUnderFaults) return { ...verdict, difference: null };
  const fields = await underFaults(world, { operation, resolved }, fieldFaults(seed), right);
  const outage = outageOf(seed, [...world.subgraphs.keys()]);
  return {
    ...verdict,
    difference: fields ?? (await underFaults(world, { operation, resolved }, outage, right)),
  };
}

async function underFaults(
  world: World,
  { operation, resolved }: { readonly operation: Case; readonly resolved: Case },
  faults: Faults,
  right: ExecutorOutcome,
): Promise<Difference | null> {
  const [stock, own] = [await apollo(world, resolved, faults), await ours(world, operation, faults)];
  const idents = right.idents ?? new Map();
  const isFault = ({ path = [] }: ExecutorFailure) =>
    !isUnknown(path.slice(0, -1), own, idents, world, faults);
  const reported = { ...stock, violations: stock.violations.filter(isFault) };
  const found = [...differences(reported, own), ...misplaced(own, idents)];
  return found.length > 0 ? { operation, faults, found, right, apollo: stock, ours: own } : null;
}

/**
 * Returns whether a path is null because a subgraph does not know the entity; for our executor this is no
 * fault.
 */
function isUnknown(
  path: ExecutorFailure['path'] & {},
  { data }: ExecutorOutcome,
  idents: ReadonlyMap<string, string>,
  { subgraphs }: World,
  faults: Faults,
): boolean {
  const ident = idents.get(path.join('.'));
  if (!ident || ![...subgraphs.keys()].some((subgraph) => isMissing(faults, subgraph, ident))) return false;
  const at = path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], data);
  return at === null;
}

/**
 * Returns the operation with resolved conditions, as our executor plans it. With conditions, Apollo plans
 * other fetches.
 */
function resolvedCase(operation: Case, { supergraph }: World): Case {
  const { document, operationName, variables } = operation;
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const { coerced = {} } = getVariableValues(supergraph.schema, definitions, variables);
  return { ...operation, document: withResolvedConditions(document, coerced) };
}

/**
 * Returns whether a response name is also the name of another field that plans fetch; Apollo confuses them.
 */
function isPlannedOtherwise(document: DocumentNode, { supergraph }: World): boolean {
  const calls = [...supergraph.syntheticFields.values()].map(({ field }) => field);
  const planned = new Set([...supergraph.plannedFields, ...calls]);
  let isFound = false;
  const inspect = ({ alias, name, arguments: args = [] }: FieldNode) => {
    const isOwn = (alias?.value ?? name.value) === name.value && args.length === 0;
    if (!isOwn && planned.has(alias?.value ?? name.value)) isFound = true;
  };
  visit(document, { Field: inspect });
  return isFound;
}

const hasThrown = ({ data, errors }: ExecutorOutcome): boolean =>
  data === undefined && errors.some(({ message }) => message.startsWith('It threw'));
