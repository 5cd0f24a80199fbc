import classes from './data-table.module.css';

interface TickProps {
  readonly label: string;
  readonly isTicked: boolean;
  readonly isPartly?: boolean;
  readonly onChange: (event: unknown) => void;
}

/** A plain checkbox: one of the kit is six elements. */
export function Tick({ label, isTicked, isPartly = false, onChange }: TickProps) {
  return (
    <input
      type="checkbox"
      className={classes['tick']}
      aria-label={label}
      checked={isTicked}
      ref={(element) => {
        if (element) element.indeterminate = isPartly;
      }}
      onChange={onChange}
    />
  );
}
