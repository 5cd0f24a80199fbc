import { useIntl } from 'react-intl';

/** A share from 0 to 1 in hundredths; a small one is not said to be none. */
export function usePercent() {
  const { formatNumber } = useIntl();
  return (share: number): string =>
    formatNumber(share, { style: 'percent', maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 });
}
