import type { IncomingHttpHeaders } from 'node:http';

/** The header of Global Privacy Control, which browsers send for people who object to being tracked. */
export const PRIVACY_HEADER = 'sec-gpc';

/** Whether a request carries the signal. Any value but `1` is none, as the specification says. */
export const hasPrivacySignal = (headers: IncomingHttpHeaders): boolean => headers[PRIVACY_HEADER] === '1';
