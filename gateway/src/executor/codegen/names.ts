import { type DocumentNode, type FieldNode, Kind, print, visit } from 'graphql';

/** A document whose response names cannot collide with the fields that a plan adds. */
interface PrivateNames {
  readonly document: DocumentNode;
  /** The client's response names, by private name. */
  readonly publicNames: ReadonlyMap<string, string>;
}

/**
 * Gives a field a private response name if its own name would lead to a wrong answer. This is the case if the
 * field has an alias or arguments, and its response name equals a field in @key or @requires, or is used for
 * different fields in different branches of the operation. The planner handles neither case.
 */
export function withPrivateNames(document: DocumentNode, plannedFields: ReadonlySet<string>): PrivateNames {
  const callsByName = new Map<string, Set<string>>();
  const taken = new Set(plannedFields);
  visit(document, {
    Field(field) {
      const name = responseNameOf(field);
      const calls = callsByName.get(name) ?? new Set();
      callsByName.set(name, calls.add(callOf(field)));
      taken.add(name).add(field.name.value);
    },
  });
  const publicNames = new Map<string, string>();
  const privateNames = new Map<string, string>();
  const privateNameOf = (field: FieldNode): string | null => {
    const name = responseNameOf(field);
    const isPlain = !field.arguments?.length && name === field.name.value;
    if (isPlain || (name !== '__proto__' && !plannedFields.has(name) && callsByName.get(name)!.size === 1)) {
      return null;
    }
    const key = `${name}\0${callOf(field)}`;
    const known = privateNames.get(key);
    if (known) return known;
    let made = '';
    for (let n = publicNames.size; made === '' || taken.has(made); n += 1) made = `${field.name.value}__${n}`;
    taken.add(made);
    privateNames.set(key, made);
    publicNames.set(made, name);
    return made;
  };
  const rewritten = visit(document, {
    Field(field) {
      const value = privateNameOf(field);
      return value === null ? undefined : { ...field, alias: { kind: Kind.NAME, value } };
    },
  });
  return { document: publicNames.size > 0 ? rewritten : document, publicNames };
}

export const responseNameOf = (field: FieldNode): string => field.alias?.value ?? field.name.value;

const callOf = (field: FieldNode): string =>
  field.arguments?.length ? `${field.name.value}(${field.arguments.map(print).join()})` : field.name.value;
