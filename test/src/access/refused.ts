import type { GraphReply } from '../harness/client.ts';

/** Status, reason and refused path of an answer. */
export const refusalOf = ({ status, errors }: GraphReply<unknown>): unknown[] => [
  status,
  errors?.[0]?.extensions['reason'],
  errors?.[0]?.path?.join('.'),
];
