import { AppError, invalid } from '@loyalty/platform/base/errors';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { limits } from '../admission/limits.ts';
import { fragmentsOf } from '../executor/codegen/collect.ts';
import type { Variables } from '../transport/transport.ts';
import { type Amount, amountOf, plus, times } from './cost-amount.ts';
import {
  argumentsCost,
  LIST_SIZE,
  type PageUse,
  pageRefusal,
  pageUses,
  wantedItems,
} from './cost-arguments.ts';
import { type CostModel, fieldListSize, fieldWeight, type ListSize } from './cost-model.ts';
import { rootFields } from './root-fields.ts';

/** The cost of one operation, compiled once for all its requests. */
export interface OperationCost {
  /** Returns the cost with these variables. Fields with `@skip` or `@include` count as included. */
  of(variables: Variables): number;
  /** Returns the refusal if the operation may not run with these variables; otherwise null. */
  refusal(variables: Variables): AppError | null;
}

/** Assumed size of lists of the schema itself: most types have few fields, most fields few arguments. */
const SCHEMA_LIST_SIZE = 4;
const MUTATION = 10;

/**
 * The cost of a selection set: its fixed part, and the part for each item of lists whose size the parent
 * field determines.
 */
interface SelectionCost {
  readonly once: Amount;
  readonly perItem: Amount;
}

const FREE: SelectionCost = { once: 0, perItem: 0 };

interface Compilation {
  readonly schema: GraphQLSchema;
  readonly model: CostModel;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Costs of fragments by list size: below lists of the same size, a fragment always has the same cost. */
  readonly measured: Map<ListSize | null, Map<string, SelectionCost>>;
  /** All requested pages of the operation. */
  readonly pages: PageUse[];
  /** Errors of lists that need exactly one paging argument but have none or several. */
  readonly misasked: AppError[];
}

/**
 * Compiles the cost of a validated operation by the rules of `@cost` and `@listSize`. An object costs 1, a
 * leaf 0, a mutation 10 more, an input object 1. The cost of a list is the number of its items times the cost
 * of one item.
 *
 * @param document - must keep the limits of limits.ts, because the time is proportional to its fields
 */
export function compileCost(
  schema: GraphQLSchema,
  model: CostModel,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationCost {
  const compilation: Compilation = {
    schema,
    model,
    fragments: fragmentsOf(document),
    measured: new Map(),
    pages: [],
    misasked: [],
  };
  const root = schema.getRootType(operation.operation)!;
  const base = operation.operation === OperationTypeNode.MUTATION ? MUTATION : 0;
  const roots = rootFields(operation.selectionSet, compilation.fragments).map((field) => ({
    name: field.name.value,
    cost: plus(base, fieldCost(field, root, null, compilation).once),
  }));
  const total = plus(...roots.map(({ cost }) => cost));
  const complete = completer(operation);
  return {
    of: (variables) => (typeof total === 'number' ? total : total(complete(variables))),
    refusal(variables) {
      const given = complete(variables);
      for (const page of compilation.pages) {
        const refused = pageRefusal(page, given);
        if (refused) return refused;
      }
      return compilation.misasked[0] ?? costRefusal(amountOf(total, given), roots, given);
    },
  };
}

function costRefusal(
  cost: number,
  roots: readonly { readonly name: string; readonly cost: Amount }[],
  variables: Variables,
): AppError | null {
  if (cost <= limits.cost) return null;
  const [costliest] = roots
    .map((root) => ({ name: root.name, cost: amountOf(root.cost, variables) }))
    .sort((a, b) => b.cost - a.cost);
  const sentence =
    `This operation costs ${cost}, at most ${limits.cost} is allowed; ` +
    `most of it is ${costliest?.name} with ${costliest?.cost}. Ask for smaller pages or fewer fields.`;
  return new AppError('BAD_USER_INPUT', 'OPERATION_TOO_COSTLY', sentence);
}

/**
 * Fields that are selected twice count twice, and fragments on different types of one abstract type all
 * count. This upper bound does not require merging fields.
 */
function selectionCost(
  { selections }: SelectionSetNode,
  type: GraphQLCompositeType,
  size: ListSize | null,
  compilation: Compilation,
): SelectionCost {
  const costs = selections.map((selection) => costOf(selection, type, size, compilation));
  return {
    once: plus(...costs.map(({ once }) => once)),
    perItem: plus(...costs.map(({ perItem }) => perItem)),
  };
}

function costOf(
  selection: SelectionNode,
  type: GraphQLCompositeType,
  size: ListSize | null,
  compilation: Compilation,
): SelectionCost {
  if (selection.kind === Kind.FIELD) return fieldCost(selection, type, size, compilation);
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const { typeCondition, selectionSet } = selection;
    const narrowed = typeCondition ? typeFromAST(compilation.schema, typeCondition) : type;
    return isCompositeType(narrowed) ? selectionCost(selectionSet, narrowed, size, compilation) : FREE;
  }
  return fragmentCost(selection.name.value, size, compilation);
}

function fragmentCost(name: string, size: ListSize | null, compilation: Compilation): SelectionCost {
  const measured = compilation.measured.get(size) ?? new Map<string, SelectionCost>();
  compilation.measured.set(size, measured);
  const known = measured.get(name);
  if (known) return known;
  const fragment = compilation.fragments.get(name);
  const type = fragment && typeFromAST(compilation.schema, fragment.typeCondition);
  const cost =
    fragment && isCompositeType(type) ? selectionCost(fragment.selectionSet, type, size, compilation) : FREE;
  measured.set(name, cost);
  return cost;
}

function fieldCost(
  node: FieldNode,
  parent: GraphQLCompositeType,
  parentSize: ListSize | null,
  compilation: Compilation,
): SelectionCost {
  const { schema, model } = compilation;
  const field = fieldOf(parent, node.name.value);
  if (!field) return FREE;
  const type = getNamedType(field.type);
  const size = fieldListSize(model, schema, parent, field.name) ?? null;
  const wanted = size ? wantedBy(node, field, size, compilation) : listSizeOf(type.name);
  const below = size && size.sizedFields.length > 0 ? size : null;
  const children =
    node.selectionSet && isCompositeType(type)
      ? selectionCost(node.selectionSet, type, below, compilation)
      : FREE;
  const own = fieldWeight(model, schema, parent, field.name) ?? model.weights.get(type.name);
  const item = plus(own ?? (isCompositeType(type) ? 1 : 0), children.once, times(wanted, children.perItem));
  const asked = argumentsCost(node, field, `${parent.name}.${field.name}`, model);
  if (!isListType(getNullableType(field.type))) return { once: plus(item, asked), perItem: 0 };
  if (parentSize?.sizedFields.includes(field.name)) return { once: asked, perItem: item };
  const count = below ? listSizeOf(type.name) : wanted;
  return { once: plus(times(count, item), asked), perItem: 0 };
}

/** Returns null for `__typename`, which costs nothing. */
function fieldOf(parent: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | null {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isUnionType(parent) ? null : (parent.getFields()[name] ?? null);
}

const listSizeOf = (type: string): number => (type.startsWith('__') ? SCHEMA_LIST_SIZE : LIST_SIZE);

/** Returns the requested number of items, and records the page for the size check. */
function wantedBy(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  size: ListSize,
  { pages, misasked }: Compilation,
): Amount {
  const uses = pageUses(node, field, size);
  pages.push(...uses);
  const { slicingArguments, requireOneSlicingArgument } = size;
  if (requireOneSlicingArgument && slicingArguments.length > 0 && uses.length !== 1) {
    misasked.push(invalid(field.name, `needs exactly one of the arguments ${slicingArguments.join(', ')}`));
  }
  return wantedItems(uses, size);
}

/** Fills in the operation's defaults for missing variables. */
function completer({ variableDefinitions = [] }: OperationDefinitionNode) {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  return (variables: Variables): Variables => {
    const absent = defaults.filter(([name]) => variables[name] === undefined);
    return absent.length === 0 ? variables : { ...variables, ...Object.fromEntries(absent) };
  };
}
