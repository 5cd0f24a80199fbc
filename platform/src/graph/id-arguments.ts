import {
  type GraphQLArgument,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { invalid } from '../base/errors.ts';
import { gathered } from '../base/gathered.ts';
import { isUuid } from '../base/ids.ts';
import { uuid } from '../base/input-rules.ts';

/**
 * Returns the paths of arguments that contain ids, at most one input object deep: `memberId`,
 * `input.storeId`, `ids`.
 */
export function idPaths(args: readonly GraphQLArgument[]): string[] {
  return args.flatMap((arg) => {
    const type = getNamedType(arg.type);
    if (isInputObjectType(type)) {
      return Object.values(type.getFields())
        .filter(isId)
        .map((field) => `${arg.name}.${field.name}`);
    }
    return isId(arg) ? [arg.name] : [];
  });
}

function isId({ type }: GraphQLArgument | GraphQLInputField): boolean {
  const nullable = isNonNullType(type) ? type.ofType : type;
  return getNamedType(isListType(nullable) ? nullable.ofType : nullable).name === 'ID';
}

/**
 * Validates ids: every id is a UUID, and other text is refused before it reaches SQL. Ids are converted to
 * lower case in place, as the database returns them, so that a look-up by id finds its row in any spelling.
 *
 * @throws AppError INVALID_ID (400) naming the arguments
 */
export function checkIds(args: Record<string, unknown>, paths: readonly string[]): void {
  gathered((check) => {
    for (const path of paths) {
      const [argument, field] = path.split('.') as [string, string | undefined];
      const container = field ? (args[argument] as Record<string, unknown> | null | undefined) : args;
      const name = field ?? argument;
      const value = container?.[name];
      const read = (id: unknown) => check(() => checkId(path, id));
      if (Array.isArray(value)) container![name] = value.map(read);
      else if (value !== undefined) container![name] = read(value);
    }
  });
}

function checkId(path: string, id: unknown): unknown {
  if (typeof id !== 'string') return id;
  if (!isUuid(id)) throw invalid(path, uuid, 'INVALID_ID');
  return id.toLowerCase();
}
