import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/** Delay after the last keystroke before the search runs. */
const TYPING_MS = 120;

/**
 * The filter of a list, which the address holds. Changes apply at once or after typing; `clear` removes all
 * conditions.
 */
export function useFilter<Search extends object>(search: Search, onChange: (search: Search) => void) {
  const choose = (change: Search) => onChange({ ...search, ...change });
  const chooseSoon = useDebouncedCallback(choose, TYPING_MS);
  // The key of uncontrolled inputs: another key empties them.
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    setCleared(cleared + 1);
    onChange({} as Search);
  };
  return { choose, chooseSoon, clear, cleared };
}
