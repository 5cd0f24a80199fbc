import type { InputJsonValue, JsonValue, TypeMap } from '../generated/internal/prismaNamespace.ts';
import { asCancelled } from './cancellation.ts';

/** The scope whose rows an operation reads and writes. */
export interface TenantScope {
  readonly workspaceId: string;
  readonly mode: 'LIVE' | 'TEST';
}

type Models = TypeMap['model'];
type Tenant = keyof TenantScope;
type Scalars<M extends keyof Models> = Models[M]['payload']['scalars'];
type Args<
  M extends keyof Models,
  O extends keyof Models[M]['operations'],
> = Models[M]['operations'][O] extends {
  args: infer A;
}
  ? A
  : never;
type Field<A, F extends string> = A extends { [K in F]?: infer V } ? NonNullable<V> : never;

type Where<M extends keyof Models> = Omit<Field<Args<M, 'findMany'>, 'where'>, Tenant>;
/** Prisma's types for JSON do not accept interfaces, and those for lists no readonly arrays. */
type Given<V> = InputJsonValue extends V ? object : V extends (infer Element)[] ? readonly Element[] : V;
type RowOf<Input> = { readonly [K in keyof Input as Exclude<K, Tenant>]: Given<Input[K]> };
type NewRow<M extends keyof Models> = RowOf<
  Exclude<Field<Args<M, 'createMany'>, 'data'>, readonly unknown[]>
>;
/** Columns are set to given values. Changes that depend on the row's own values are written in SQL. */
type Change<M extends keyof Models> = Partial<NewRow<M>>;
type Select<M extends keyof Models> = { readonly [K in keyof Scalars<M>]?: true };
/** The return type of the store declares the content of a JSON column. */
// biome-ignore lint/suspicious/noExplicitAny: PostgreSQL has no type for the content
type Read<V> = JsonValue extends V ? any : V;
type Selected<M extends keyof Models, S> = {
  readonly [K in keyof S & keyof Scalars<M>]: Read<Scalars<M>[K]>;
};

interface Reading<M extends keyof Models, S> {
  readonly where: Where<M>;
  readonly select: S;
}

interface ListReading<M extends keyof Models, S> extends Reading<M, S> {
  readonly orderBy?: Field<Args<M, 'findMany'>, 'orderBy'>;
  readonly skip?: number;
  readonly take?: number;
}

/** Operations on the rows of one table; each is one statement. */
export interface ScopedModel<M extends keyof Models> {
  findFirst<S extends Select<M>>(args: ListReading<M, S>): Promise<Selected<M, S> | null>;
  /** Reads the current row and locks it until the transaction ends. */
  findFirstForUpdate<S extends Select<M>>(args: Reading<M, S>): Promise<Selected<M, S> | null>;
  findMany<S extends Select<M>>(args: ListReading<M, S>): Promise<Selected<M, S>[]>;
  count(args: { readonly where: Where<M> }): Promise<number>;
  create<S extends Select<M>>(args: {
    readonly data: NewRow<M>;
    readonly select: S;
  }): Promise<Selected<M, S>>;
  /** With `skipDuplicates`, rows that violate a unique constraint are skipped. */
  createMany(args: {
    readonly data: readonly NewRow<M>[];
    readonly skipDuplicates?: boolean;
  }): Promise<{ readonly count: number }>;
  createManyAndReturn<S extends Select<M>>(args: {
    readonly data: readonly NewRow<M>[];
    readonly skipDuplicates?: boolean;
    readonly select: S;
  }): Promise<Selected<M, S>[]>;
  updateMany(args: {
    readonly where: Where<M>;
    readonly data: Change<M>;
  }): Promise<{ readonly count: number }>;
  updateManyAndReturn<S extends Select<M>>(
    args: Reading<M, S> & { readonly data: Change<M> },
  ): Promise<Selected<M, S>[]>;
  deleteMany(args: { readonly where: Where<M> }): Promise<{ readonly count: number }>;
}

type TenantModel = {
  [M in keyof Models]: 'workspaceId' extends keyof Scalars<M> ? M : never;
}[keyof Models];

/**
 * Prisma's typed access to the tables with a workspace. Callers never pass workspace and mode: each operation
 * adds those of the scope to its `where` and its `data`.
 */
export type ScopedPrisma = { readonly [M in TenantModel as Uncapitalize<M>]: ScopedModel<M> };

type Operation = (args: object) => Promise<unknown>;
type Client = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface OperationOptions {
  /** True if rows are locked until the transaction ends. */
  readonly isLocking: boolean;
}

const FOR_UPDATE = 'ForUpdate';

/**
 * Returns Prisma's client, which is loaded by its first operation. Each operation starts in `within`, exactly
 * once, whether or not it is awaited.
 */
export function scopedPrisma(
  load: () => Promise<object>,
  within: (start: () => Promise<unknown>, options: OperationOptions) => Promise<unknown>,
): ScopedPrisma {
  const run = async (model: string, name: string, args: object): Promise<unknown> => {
    const isLocking = name.endsWith(FOR_UPDATE);
    const action = isLocking ? name.slice(0, -FOR_UPDATE.length) : name;
    try {
      return await within(async () => ((await load()) as Client)[model]![action]!(args), { isLocking });
    } catch (error) {
      throw asCancelled(error);
    }
  };
  return named((model) =>
    named((name) => (args: object) => run(model, name, args)),
  ) as unknown as ScopedPrisma;
}

/** Returns an object whose properties are made from their names. */
const named = <Property>(make: (name: string) => Property): Readonly<Record<string, Property>> =>
  new Proxy({}, { get: (_, name) => (typeof name === 'symbol' ? undefined : make(name)) });

interface OperationArgs {
  readonly where?: object;
  readonly data?: object | readonly object[];
}

/**
 * Adds the scope to the arguments of an operation: to `where` and to new rows. In `where`, another workspace
 * or mode matches nothing; in new rows it is replaced.
 *
 * @param tenantFields - the fields of workspace and mode that the table has
 */
export function argsInScope(
  operation: string,
  args: OperationArgs,
  scope: TenantScope,
  tenantFields: readonly Tenant[],
): OperationArgs {
  const tenant = Object.fromEntries(tenantFields.map((field) => [field, scope[field]]));
  if (operation.startsWith('create')) {
    const { data } = args;
    const rows = Array.isArray(data) ? data.map((row) => ({ ...row, ...tenant })) : { ...data, ...tenant };
    return { ...args, data: rows };
  }
  const { workspaceId, mode, ...data } = (args.data ?? {}) as Partial<TenantScope>;
  return { ...args, where: { AND: [args.where, tenant] }, ...(args.data && { data }) };
}
