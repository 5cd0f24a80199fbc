import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useIntl } from 'react-intl';
import { useLive } from '../../graph/use-live.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { WalletBadgeDocument } from './generated/wallet.ts';

/** The credits that are left, as they change; it leads to where they are bought. */
export function WalletBadge() {
  const t = useText();
  const { formatNumber } = useIntl();
  const canSee = useCan('WalletBadge', 'Credits');
  const data = useLive(WalletBadgeDocument, {}, { pause: !canSee });
  if (!data) return null;
  const count = formatNumber(Number(data.walletChanged.available));
  return (
    <Button component={Link} to="/credits" variant="subtle" size="compact-sm" visibleFrom="sm">
      {t('account.credits', { count })}
    </Button>
  );
}
