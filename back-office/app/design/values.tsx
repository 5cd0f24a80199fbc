import { FormattedDate, FormattedNumber, useIntl } from 'react-intl';
import { useViewer } from '../graph/viewer.ts';
import { useText, useWord } from '../messages/text.ts';
import { minorDigits } from './minor-digits.ts';
import classes from './values.module.css';

interface Amount {
  readonly amountMinor: string | number;
  readonly currency: string;
}

/** An amount of money in the currency's own units. */
export function Money({ of }: { readonly of: Amount | null | undefined }) {
  const { formatNumber } = useIntl();
  if (!of) return <None />;
  const { amountMinor, currency } = of;
  return (
    <>{formatNumber(Number(amountMinor) / 10 ** minorDigits(currency), { style: 'currency', currency })}</>
  );
}

/** A moment in the time zone of the workspace. */
export function Instant({
  at,
  hasTime = true,
}: {
  readonly at: string | null | undefined;
  readonly hasTime?: boolean;
}) {
  const { workspace } = useViewer();
  if (!at) return <None />;
  const time = hasTime ? ({ hour: '2-digit', minute: '2-digit' } as const) : {};
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      <FormattedDate
        value={at}
        timeZone={workspace.timeZone}
        year="numeric"
        month="short"
        day="numeric"
        {...time}
      />
    </time>
  );
}

export function Count({ of }: { readonly of: number | string | null | undefined }) {
  return of == null ? <None /> : <FormattedNumber value={Number(of)} />;
}

interface NoneProps {
  /** Why nothing is known. */
  readonly reason?: string;
}

/** Nothing is known; why, it says to whoever points at it or hears it. */
export function None({ reason }: NoneProps) {
  const t = useText();
  const why = reason ?? t('value.none');
  return (
    <span role="img" className={classes['none']} data-none title={why} aria-label={why}>
      —
    </span>
  );
}

const GOOD = ['ACTIVE', 'COMPLETED', 'SUCCEEDED', 'PAID', 'FULFILLED', 'ISSUED', 'REDEEMED', 'ACCEPTED'];
const BAD = ['FAILED', 'CANCELLED', 'VOID', 'DELETED', 'REFUNDED', 'REVOKED', 'EXPIRED'];

/** A state: its word, and a colour for the eye. One element, because long lists have many. */
export function Status({ of }: { readonly of: string }) {
  const word = useWord();
  let color = 'gray';
  if (GOOD.includes(of)) color = 'teal';
  else if (BAD.includes(of)) color = 'red';
  return (
    <span className={classes['status']} data-color={color}>
      {word(of)}
    </span>
  );
}
