import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/** Delay after the last keystroke before the search runs. */
const TYPING_MS = 120;

/** The filter of a list, kept in the address: changes at once or after typing, and clearing all. */
export function useFilter<Search extends object>(search: Search, onChange: (search: Search) => void) {
  const choose = (change: Search) => onChange({ ...search, ...change });
  const chooseSoon = useDebouncedCallback(choose, TYPING_MS);
  // As a key of a field it makes the field anew, empty.
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    setCleared(cleared + 1);
    onChange({} as Search);
  };
  return { choose, chooseSoon, clear, cleared };
}
