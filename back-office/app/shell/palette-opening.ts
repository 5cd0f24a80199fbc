import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';

/** Id of the field that takes over what was typed before it had the focus. */
export const PALETTE_FIELD = 'palette-field';

/** How often the search was asked for, and what was typed since then. */
export interface PaletteOpening {
  readonly times: number;
  /** Once, by the field that now has the focus. */
  readonly takeTyped: () => string;
}

interface Typing {
  readonly end: () => string;
}

/**
 * Collects what is typed until the field of the search has the focus, which takes a moment after the key: its
 * dialog appears first, or is even loaded. Nothing else gets these keys, neither a field nor a shortcut.
 */
function collectTyping(): Typing {
  let text = '';
  const onKey = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey } = event;
    if (key === 'Escape' || document.activeElement?.id === PALETTE_FIELD) return void end();
    if (key.length !== 1 || altKey || ctrlKey || metaKey) return;
    text += key;
    event.preventDefault();
    event.stopPropagation();
  };
  const end = (): string => {
    removeEventListener('keydown', onKey, true);
    return text;
  };
  addEventListener('keydown', onKey, true);
  return { end };
}

/** Opens the search, by Ctrl or ⌘ and K and by its button. */
export function usePaletteOpening(): { readonly opening: PaletteOpening; readonly open: () => void } {
  const [times, setTimes] = useState(0);
  const typing = useRef<Typing | null>(null);
  const takeTyped = () => {
    const text = typing.current?.end() ?? '';
    typing.current = null;
    return text;
  };
  const open = () => {
    takeTyped();
    typing.current = collectTyping();
    setTimes((before) => before + 1);
  };
  useHotkeys([['mod+K', open]], []);
  return { opening: { times, takeTyped }, open };
}
