import IconCoins from '@tabler/icons-react/icons/IconCoins';
import { Link } from '@tanstack/react-router';
import { useIntl } from 'react-intl';
import { useLive } from '../graph/use-live.ts';
import { useCan } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import { WalletLinkDocument } from './generated/wallet.ts';
import classes from './sidebar.module.css';

/** The available credits, live, with a link to the screen where credits are bought. */
export default function WalletLink({ isNarrow }: { readonly isNarrow: boolean }) {
  const t = useText();
  const { formatNumber } = useIntl();
  const canSee = useCan('WalletLink', 'Credits');
  const data = useLive(WalletLinkDocument, {}, { pause: !canSee });
  if (!canSee) return null;
  const text = data && t('account.credits', { count: formatNumber(Number(data.walletChanged.available)) });
  return (
    <Link
      to="/credits"
      className={classes['entry'] ?? ''}
      aria-label={isNarrow || !text ? (text ?? t('credits.title')) : undefined}
      title={isNarrow ? text : undefined}
    >
      <IconCoins size={16} />
      {!isNarrow && <span className={classes['name']}>{text}</span>}
    </Link>
  );
}
