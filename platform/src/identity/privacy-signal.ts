import type { IncomingHttpHeaders } from 'node:http';

/** The header of Global Privacy Control, which browsers send for people who object to being tracked. */
export const PRIVACY_HEADER = 'sec-gpc';

/** Returns whether a request has the signal. By the specification, only the value `1` counts. */
export const hasPrivacySignal = (headers: IncomingHttpHeaders): boolean => headers[PRIVACY_HEADER] === '1';
