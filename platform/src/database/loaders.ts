import DataLoader from 'dataloader';
import type { Context, Loader } from '../context.ts';

/** Declares a batched look-up; a key that is missing in the map loads as null. */
export const loader = <K, V>(batch: Loader<K, V>['batch']): Loader<K, V> => ({ batch });

/**
 * Creates the loaders of one context. Results are cached for the lifetime of the context, which is one
 * subgraph request.
 */
export function createLoaders(ctx: Context): {
  load<K, V>(loader: Loader<K, V>, key: K): Promise<V | null>;
  /** Drops all cached results. */
  forget(): void;
} {
  const open = new Map<object, DataLoader<unknown, unknown>>();
  return {
    forget: () => open.clear(),
    load<K, V>(declared: Loader<K, V>, key: K): Promise<V | null> {
      let dataLoader = open.get(declared) as DataLoader<K, V | null> | undefined;
      if (!dataLoader) {
        dataLoader = new DataLoader<K, V | null>(async (keys) => {
          const found = await declared.batch(ctx, keys);
          return keys.map((wanted) => found.get(wanted) ?? null);
        });
        open.set(declared, dataLoader as DataLoader<unknown, unknown>);
      }
      return dataLoader.load(key);
    },
  };
}
