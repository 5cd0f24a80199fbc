import type { Signal } from './standard-state.ts';

/** A signal as clients receive it in JSON. */
export const signalJson = ({ score, status, horizonDays, reasons }: Signal) => ({
  score,
  status: status.toLowerCase(),
  horizon_days: horizonDays,
  reasons,
});
