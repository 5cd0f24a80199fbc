import type { InputJsonValue, JsonValue, TypeMap } from '../generated/internal/prismaNamespace.ts';
import { asCancelled } from './cancellation.ts';

/** Whose rows an operation reads and writes. */
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
/** Prisma's types of JSON refuse interfaces, and those of lists what is readonly. */
type Given<V> = InputJsonValue extends V ? object : V extends (infer Element)[] ? readonly Element[] : V;
type RowOf<Input> = { readonly [K in keyof Input as Exclude<K, Tenant>]: Given<Input[K]> };
type NewRow<M extends keyof Models> = RowOf<
  Exclude<Field<Args<M, 'createMany'>, 'data'>, readonly unknown[]>
>;
/** Columns are set, not counted up: what depends on the row's own values is SQL. */
type Change<M extends keyof Models> = Partial<NewRow<M>>;
type Select<M extends keyof Models> = { readonly [K in keyof Scalars<M>]?: true };
/** What is in a JSON column is said by the type that the store returns. */
// biome-ignore lint/suspicious/noExplicitAny: PostgreSQL knows no more of it
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

/** What a store does with the rows of one table; each is one statement. */
export interface ScopedModel<M extends keyof Models> {
  findFirst<S extends Select<M>>(args: ListReading<M, S>): Promise<Selected<M, S> | null>;
  /** The row as it is now, locked until the transaction ends. */
  findFirstForUpdate<S extends Select<M>>(args: Reading<M, S>): Promise<Selected<M, S> | null>;
  findMany<S extends Select<M>>(args: ListReading<M, S>): Promise<Selected<M, S>[]>;
  count(args: { readonly where: Where<M> }): Promise<number>;
  create<S extends Select<M>>(args: {
    readonly data: NewRow<M>;
    readonly select: S;
  }): Promise<Selected<M, S>>;
  /** With `skipDuplicates`, rows that break a unique constraint are left out. */
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
 * Prisma's typed access to the tables that have a workspace. Workspace and mode are never given: each
 * operation has those of the scope in its `where` and its `data`.
 */
export type ScopedPrisma = { readonly [M in TenantModel as Uncapitalize<M>]: ScopedModel<M> };

type Operation = (args: object) => Promise<unknown>;
type Client = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface OperationOptions {
  /** Its rows are locked until the transaction ends. */
  readonly isLocking: boolean;
}

const FOR_UPDATE = 'ForUpdate';

/**
 * Prisma's client, which is loaded by its first operation. Each operation starts `within`, and once only,
 * whether or not somebody waits for it.
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

/** An object that makes its properties from their names. */
const named = <Property>(make: (name: string) => Property): Readonly<Record<string, Property>> =>
  new Proxy({}, { get: (_, name) => (typeof name === 'symbol' ? undefined : make(name)) });

interface OperationArgs {
  readonly where?: object;
  readonly data?: object | readonly object[];
}

/**
 * The arguments of an operation with the scope in `where` and in new rows. Another workspace or mode in
 * `where` finds nothing; in new rows it is replaced.
 *
 * @param tenantFields - which of workspace and mode the table has
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
