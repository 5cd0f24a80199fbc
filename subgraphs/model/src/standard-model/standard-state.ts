export type SignalStatus = 'OK' | 'DEGRADED' | 'UNAVAILABLE';

/** One signal about one member, as clients receive it. */
export interface Signal {
  /** Rounded to 6 decimals; null if unavailable. */
  readonly score: number | null;
  readonly status: SignalStatus;
  readonly horizonDays: number | null;
  readonly reasons: readonly string[];
}

export interface EvidenceItem {
  readonly kind: string;
  readonly value: unknown;
  readonly observedAt: Date | null;
}

/** The state of one member by the standard model. */
export interface StandardState {
  readonly status: SignalStatus;
  readonly purchase: Signal;
  readonly longGap: Signal;
  readonly cartRemoval: Signal;
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
}

/** A signal as clients receive it in JSON. */
export const signalJson = ({ score, status, horizonDays, reasons }: Signal) => ({
  score,
  status: status.toLowerCase(),
  horizon_days: horizonDays,
  reasons,
});

const SCALE = 1_000_000;

/** Rounds to 6 decimals, as clients receive scores and evidence. */
export const roundedScore = (value: number): number => Math.round(value * SCALE) / SCALE;
