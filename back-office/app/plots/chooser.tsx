import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import classes from './plots.module.css';

interface Choice {
  /** Horizontal position: 0 is the left end of the plot, 1 the right end. */
  readonly at: number;
  /** Vertical position of its label: 0 is the top of the plot, 1 the bottom. Default: 0. */
  readonly below?: number;
  readonly name: string;
  readonly values: readonly string[];
}

interface ChooserProps {
  /** What the plot shows, in a sentence. */
  readonly label: string;
  readonly count: number;
  /** Index of the value that is announced before one is chosen. */
  readonly first: number;
  /** Values in a row: the up and down keys move by this number. Default: 1. */
  readonly rowLength?: number;
  /** Returns the index of the value nearest to a position, in fractions of the plot's width and height. */
  readonly nearest: (x: number, y: number) => number;
  readonly choiceOf: (index: number) => Choice;
  readonly children: (chosen: number | null) => ReactNode;
}

/** Shows one of many values in words. Pointer, touch or arrow keys choose it. */
export function Chooser({ label, count, first, rowLength, nearest, choiceOf, children }: ChooserProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = Math.min(chosen ?? first, count - 1);
  const within = (index: number): number => Math.min(count - 1, Math.max(0, index));
  const point = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    setChosen(within(nearest((clientX - left) / width, (clientY - top) / height)));
  };
  const moveByRow = (event: KeyboardEvent<HTMLElement>): void => {
    const rows = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!rowLength || !rows) return;
    event.preventDefault();
    const next = shown + rows * rowLength;
    if (next === within(next)) setChosen(next);
  };
  const { name, values } = choiceOf(shown);
  return (
    <div
      className={classes['frame']}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
    >
      {children(chosen === null ? null : shown)}
      <input
        type="range"
        className={classes['choices']}
        aria-label={label}
        aria-valuetext={[name, ...values].join(', ')}
        min={0}
        max={count - 1}
        value={shown}
        onChange={({ currentTarget: { valueAsNumber } }) => setChosen(valueAsNumber)}
        onKeyDown={moveByRow}
        onFocus={() => setChosen(shown)}
        onBlur={() => setChosen(null)}
      />
      {chosen !== null && <Values of={choiceOf(shown)} />}
    </div>
  );
}

function Values({ of: { at, below = 0, name, values } }: { readonly of: Choice }) {
  const left = `${100 * at}%`;
  return (
    <div
      className={classes['values']}
      style={{ left, top: `${100 * below}%`, transform: `translateX(-${left})` }}
    >
      <strong>{name}</strong>
      {values.map((value) => (
        <div key={value}>{value}</div>
      ))}
    </div>
  );
}
