/**
 * Pieces of generated source. Only names of the schema and of the validated operation are ever written into
 * it, always as string literals; values of a request are not known when it is made.
 */
export const literal = (name: string): string => JSON.stringify(name).replaceAll('\u2028', '\\u2028');

/** Reads a property of raw data; names that every object inherits are looked up as its own. */
export function property(object: string, name: string): string {
  return name in Object.prototype
    ? `(Object.hasOwn(${object},${literal(name)})?${object}[${literal(name)}]:undefined)`
    : `${object}[${literal(name)}]`;
}

/** Compiles source to the function that it returns; `parts` are what it may refer to. */
export function compileSource<T>(source: string, parts: Readonly<Record<string, unknown>> = {}): T {
  return new Function(...Object.keys(parts), `"use strict";${source}`)(...Object.values(parts)) as T;
}
