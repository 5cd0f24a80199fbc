/**
 * Returns a string literal for generated source. Only names of the schema and of the validated operation are
 * written into the source, always as string literals. Values of requests are not known when it is generated.
 */
export const literal = (name: string): string => JSON.stringify(name).replaceAll('\u2028', '\\u2028');

/** Reads a property of raw data; for names of Object.prototype, only own properties. */
export function property(object: string, name: string): string {
  return name in Object.prototype
    ? `(Object.hasOwn(${object},${literal(name)})?${object}[${literal(name)}]:undefined)`
    : `${object}[${literal(name)}]`;
}

/** Compiles source and returns its function; `parts` are the values that it uses. */
export function compileSource<T>(source: string, parts: Readonly<Record<string, unknown>> = {}): T {
  return new Function(...Object.keys(parts), `"use strict";${source}`)(...Object.values(parts)) as T;
}
