import { type AppError, invalid } from '@loyalty/platform/base/errors';
import { between } from '@loyalty/platform/base/input-rules';
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { limits } from '../admission/limits.ts';
import type { Variables } from '../transport/transport.ts';
import { type Amount, COST_MAX, plus } from './cost-amount.ts';
import type { CostModel, ListSize } from './cost-model.ts';

/** Assumed number of items of a list without `@listSize`. */
export const LIST_SIZE = 10;
/** Maximum nesting of input objects; deeper ones cost COST_MAX. */
const INPUT_DEPTH = 50;

type Field = GraphQLField<unknown, unknown>;

/** A value in the document that is evaluated with variables. */
interface Reading {
  /** True if the value contains no variables. */
  readonly isFixed: boolean;
  of(variables: Variables): unknown;
}

/** An argument that determines the number of items of a list. */
export interface PageUse {
  readonly argument: string;
  readonly size: Reading;
  /** Maximum items of one page; larger than usual if the assumed size of the list is larger. */
  readonly sizeMax: number;
}

/** Returns the arguments of a field that determine the number of items. */
export function pageUses(
  node: FieldNode,
  field: Field,
  { slicingArguments, assumedSize }: ListSize,
): PageUse[] {
  const sizeMax = Math.max(limits.pageSize, assumedSize ?? 0);
  return slicingArguments.flatMap((argument) => {
    const given = node.arguments?.find(({ name }) => name.value === argument);
    const fallback = field.args.find(({ name }) => name === argument)?.defaultValue;
    if (given) return [{ argument, size: readingOf(given.value), sizeMax }];
    return fallback === undefined ? [] : [{ argument, size: { isFixed: true, of: () => fallback }, sizeMax }];
  });
}

/** Returns the number of items: the largest value of an argument, otherwise the assumed size of the list. */
export function wantedItems(uses: readonly PageUse[], { assumedSize }: ListSize): Amount {
  const assumed = assumedSize ?? LIST_SIZE;
  if (uses.length === 0) return assumed;
  const items = (variables: Variables): number => {
    const sizes = uses.map(({ size }) => size.of(variables)).filter((size) => typeof size === 'number');
    return sizes.length > 0 ? Math.max(0, ...sizes) : assumed;
  };
  return uses.every(({ size }) => size.isFixed) ? items({}) : items;
}

/** Returns the refusal if the requested page is too large; otherwise null. */
export function pageRefusal({ argument, size, sizeMax }: PageUse, variables: Variables): AppError | null {
  const wanted = size.of(variables);
  if (typeof wanted !== 'number' || (wanted >= 1 && wanted <= sizeMax)) return null;
  return invalid(argument, between(1, sizeMax));
}

/** Returns the cost of the arguments of a field; `coordinate` is `Type.field`. */
export function argumentsCost(node: FieldNode, field: Field, coordinate: string, model: CostModel): Amount {
  const costs = (node.arguments ?? []).map(({ name, value }): Amount => {
    const argument = field.args.find((candidate) => candidate.name === name.value);
    if (!argument) return 0;
    const weight = model.weights.get(`${coordinate}(${argument.name}:)`);
    const type = getNamedType(argument.type);
    if (!isInputObjectType(type)) return weight ?? model.weights.get(type.name) ?? 0;
    const given = readingOf(value);
    const cost = (variables: Variables): number =>
      Math.min(COST_MAX, inputCost(given.of(variables), argument.type, weight, model, 0));
    return given.isFixed ? cost({}) : cost;
  });
  return plus(...costs);
}

/** An input object costs 1 plus its fields; a list costs the sum of its items. */
function inputCost(
  value: unknown,
  type: GraphQLInputType,
  weight: number | undefined,
  model: CostModel,
  depth: number,
): number {
  if (value === null || value === undefined) return 0;
  if (depth > INPUT_DEPTH) return COST_MAX;
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    let sum = 0;
    for (const item of Array.isArray(value) ? value : [value]) {
      sum += inputCost(item, nullable.ofType, weight, model, depth + 1);
    }
    return sum;
  }
  const own = weight ?? model.weights.get(nullable.name);
  if (!isInputObjectType(nullable)) return own ?? 0;
  let cost = own ?? 1;
  for (const field of Object.values(nullable.getFields())) {
    const item = (value as Record<string, unknown>)[field.name];
    const asked = model.weights.get(`${nullable.name}.${field.name}`);
    if (item !== undefined) cost += inputCost(item, field.type, asked, model, depth + 1);
  }
  return cost;
}

/** A missing variable evaluates to undefined. */
function readingOf(node: ValueNode): Reading {
  if (node.kind === Kind.VARIABLE) {
    return { isFixed: false, of: (variables) => variables[node.name.value] };
  }
  const used: string[] = [];
  visit(node, { Variable: ({ name }) => void used.push(name.value) });
  return { isFixed: used.length === 0, of: (variables) => valueFromASTUntyped(node, variables) };
}
