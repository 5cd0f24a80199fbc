import type { DocumentNode } from 'graphql';

/** Returns a function that makes a value once for each operation, and keeps it as long as the document. */
export function perOperation<T>() {
  const known = new WeakMap<DocumentNode, Map<string, T>>();
  return (document: DocumentNode, operationName: string | null | undefined, make: () => T): T => {
    const byName = known.get(document) ?? new Map<string, T>();
    known.set(document, byName);
    const name = operationName ?? '';
    const value = byName.get(name) ?? make();
    byName.set(name, value);
    return value;
  };
}
