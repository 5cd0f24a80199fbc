import { FormattedDate, FormattedNumber, useIntl } from 'react-intl';
import { useViewer } from '../graph/viewer.ts';
import { useText, useWord } from '../messages/text.ts';
import { type MinorAmount, minorDigits } from './minor-digits.ts';
import classes from './values.module.css';

/** An amount of money in the currency's own units. */
export function Money({ of }: { readonly of: MinorAmount | null | undefined }) {
  const { formatNumber } = useIntl();
  if (!of) return <None />;
  const { amountMinor, currency } = of;
  return (
    <>{formatNumber(Number(amountMinor) / 10 ** minorDigits(currency), { style: 'currency', currency })}</>
  );
}

/** An instant in the time zone of the workspace. */
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
  /** Why the value is unknown. Default: a general text. */
  readonly reason?: string;
}

/** A dash for an unknown value. Its tooltip and its label for screen readers give the reason. */
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

/** A status as a word on a coloured tint. It is one element, because long lists have many of them. */
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
