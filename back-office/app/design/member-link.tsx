import { useText } from '../messages/text.ts';
import { ScreenLink } from './screen-link.tsx';
import { None } from './values.tsx';

interface NamedMember {
  readonly id: string;
  readonly name?: string | null;
}

/** The name of a member, as a link to the member's screen. */
export function MemberLink({ of }: { readonly of: NamedMember | null | undefined }) {
  const t = useText();
  if (!of) return <None />;
  return (
    <ScreenLink to="/members/$id" params={{ id: of.id }} size="sm">
      {of.name ?? t('member.unnamed')}
    </ScreenLink>
  );
}
