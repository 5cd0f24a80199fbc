import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';

/** Id of the search input, which receives the text that was typed before it had the focus. */
export const PALETTE_FIELD = 'palette-field';

/** Number of times the search was opened, and the text typed since then. */
export interface PaletteOpening {
  readonly times: number;
  /** Returns the typed text and stops collecting. Called once, by the focused input. */
  readonly takeTyped: () => string;
}

interface Typing {
  readonly end: () => string;
}

/**
 * Collects typed keys until the search input has the focus. This takes a moment, because its dialog must load
 * and appear first. No other input or shortcut receives these keys.
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

/** Opens the search by Ctrl+K or ⌘K, or by its button. */
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
