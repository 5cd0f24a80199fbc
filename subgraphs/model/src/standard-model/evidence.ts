import { DAY_MS } from '@loyalty/platform/base/clock';
import type { EvidenceItem } from './standard-state.ts';
import type { StateRow } from './state-row.ts';

/**
 * The facts behind the scores of a state. `observedAt` is the time of the last fact behind an item if that is
 * known exactly, the cutoff for values that were computed at it, and null for values that are counted in
 * days.
 */
export const evidenceOf = (state: StateRow, cutoff: Date): EvidenceItem[] => [
  { kind: 'n_purchase_days', value: state.purchaseDays, observedAt: null },
  ...purchaseItems(state, cutoff),
  ...eventItems(state),
];

function purchaseItems(state: StateRow, cutoff: Date): EvidenceItem[] {
  const { firstDay, lastDay } = state;
  if (firstDay === null || lastDay === null) return [];
  return [
    { kind: 'first_purchase_day', value: isoDay(firstDay), observedAt: null },
    { kind: 'last_purchase_day', value: isoDay(lastDay), observedAt: null },
    { kind: 'gap_days', value: state.gapDays, observedAt: cutoff },
    ...intervalItems(state),
    { kind: 'alive_chance', value: state.aliveChance, observedAt: cutoff },
    { kind: 'gap_survival', value: state.gapSurvival, observedAt: cutoff },
    ...(state.overdueCycles === null
      ? []
      : [{ kind: 'overdue_cycles', value: state.overdueCycles, observedAt: cutoff }]),
  ];
}

const intervalItems = ({ intervalMean, intervalSd }: StateRow): EvidenceItem[] =>
  intervalMean === null
    ? []
    : [
        { kind: 'interval_mean_days', value: intervalMean, observedAt: null },
        { kind: 'interval_sd_days', value: intervalSd, observedAt: null },
      ];

function eventItems({ sessions, cartAdds, cartRemoves, ...times }: StateRow): EvidenceItem[] {
  const [events, carts] = [instant(times.lastEventMs), instant(times.lastCartMs)];
  const latest = instant(times.dataThroughMs);
  return [
    { kind: 'sessions', value: sessions, observedAt: events },
    { kind: 'cart_adds', value: cartAdds, observedAt: carts },
    { kind: 'cart_removes', value: cartRemoves, observedAt: carts },
    { kind: 'data_through', value: latest?.toISOString() ?? null, observedAt: latest },
  ];
}

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const instant = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
