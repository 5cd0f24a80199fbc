import { useText } from '../../messages/text.ts';
import { Sparkline } from '../../plots/line.tsx';
import { DAYS, useFinding, useHomeDays } from './home-days.ts';

/** A sparkline of new members or orders of the last days, beside their total. */
export default function HomeTrend({ of }: { readonly of: 'joined' | 'orders' }) {
  const t = useText();
  const finding = useFinding();
  const data = useHomeDays();
  const values = of === 'joined' ? joinedOf(data) : ordersOf(data);
  if (values.length === 0) return null;
  const title = t(of === 'joined' ? 'home.joined' : 'home.orders');
  return <Sparkline label={`${title}: ${finding(values)}`} values={values.slice(-DAYS)} isUnfinished />;
}

type Data = ReturnType<typeof useHomeDays>;

const joinedOf = (data: Data): number[] => data?.programStatistics?.series.map(({ joined }) => joined) ?? [];

/** Orders by day, in all currencies. */
function ordersOf(data: Data): number[] {
  const [first, ...others] = data?.salesStatistics ?? [];
  return (first?.series ?? []).map(({ orders }, day) =>
    others.reduce((sum, { series }) => sum + (series[day]?.orders ?? 0), orders),
  );
}
