import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { LedgerActorsDocument } from './generated/member-points.ts';

/**
 * Names `user:<id>`, `key:<id>`, `member:<id>` or `system:<what>`. Of people who left the team, and of keys
 * that are gone, only the kind is known.
 */
export function useActorNames(): (actor: string) => string {
  const t = useText();
  const canSee = useCan('LedgerActors');
  const { data } = useScreen(LedgerActorsDocument, useConditions('LedgerActors'), !canSee);
  const people = data?.teamMembers.nodes ?? [];
  const keys = data?.apiKeys?.nodes ?? [];
  return (actor) => {
    const [kind, id] = [actor.slice(0, actor.indexOf(':')), actor.slice(actor.indexOf(':') + 1)];
    switch (kind) {
      case 'user':
        return people.find(({ user }) => user.id === id)?.user.name ?? t('actor.user');
      case 'key':
        return keys.find((key) => key.id === id)?.name ?? t('actor.key');
      case 'member':
        return t('actor.member');
      default:
        return t('actor.system');
    }
  };
}
