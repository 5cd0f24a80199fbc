/** How many connections each credential or address has open. */
export interface ConnectionCounts {
  isFull(owner: string): boolean;
  add(owner: string): void;
  remove(owner: string): void;
}

export function createConnectionCounts(connectionsMax: number): ConnectionCounts {
  const counts = new Map<string, number>();
  const of = (owner: string) => counts.get(owner) ?? 0;
  return {
    isFull: (owner) => of(owner) >= connectionsMax,
    add: (owner) => void counts.set(owner, of(owner) + 1),
    remove(owner) {
      if (of(owner) > 1) counts.set(owner, of(owner) - 1);
      else counts.delete(owner);
    },
  };
}
