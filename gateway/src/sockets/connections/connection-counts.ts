/** How many connections each credential or address holds. */
export interface Holders {
  isFull(holder: string): boolean;
  add(holder: string): void;
  remove(holder: string): void;
}

export function createHolders(connectionsMax: number): Holders {
  const counts = new Map<string, number>();
  const of = (holder: string) => counts.get(holder) ?? 0;
  return {
    isFull: (holder) => of(holder) >= connectionsMax,
    add: (holder) => void counts.set(holder, of(holder) + 1),
    remove(holder) {
      if (of(holder) > 1) counts.set(holder, of(holder) - 1);
      else counts.delete(holder);
    },
  };
}
