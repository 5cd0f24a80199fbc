import { CREDENTIALS_CHANNEL, changedCredentialsIn } from '@loyalty/platform/identity/credentials';
import { replaysIn } from '@loyalty/platform/identity/idempotency';
import type { Live } from '@loyalty/platform/live/live';
import type { Transport, Transports } from '../transport/transport.ts';

/**
 * Wraps transports: when a mutation has changed credentials, their cached copies are dropped before its
 * answer is passed on. So the next call looks them up again, in whichever process the subgraph runs. Replayed
 * mutations are recorded on the request.
 */
export const withCredentialChanges = <Name extends string>(
  transports: Transports<Name>,
  live: Live,
): Transports<Name> =>
  Object.fromEntries(
    Object.entries<Transport>(transports).map(([name, transport]) => [
      name,
      publishingChanges(transport, live),
    ]),
  ) as Transports<Name>;

const publishingChanges = (transport: Transport, live: Live): Transport => ({
  prepare(operation) {
    const send = transport.prepare(operation);
    if (!/^\s*mutation\b/.test(operation.query)) return send;
    return async (variables, from, representations) => {
      const result = await send(variables, from, representations);
      for (const name of replaysIn(result)) from.replayed?.add(name);
      for (const subject of changedCredentialsIn(result)) live.deliver(CREDENTIALS_CHANNEL, subject);
      return result;
    };
  },
  subscribe: (request, from) => transport.subscribe(request, from),
  close: () => transport.close(),
});
