import type { ReactNode } from 'react';
import { MemberLink } from '../../design/member-link.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { useAuditWords } from './audit-words.ts';
import type { AuditLogQuery } from './generated/audit.ts';

type Entry = AuditLogQuery['auditLog']['nodes'][number];

/** What was changed: its kind, and its name, which leads to it where there is a screen. */
export function AuditSubject({ of }: { readonly of: Entry }) {
  const { typeOf } = useAuditWords();
  const name = useName(of);
  return (
    <>
      {typeOf(of.resourceType)}
      {name && <> · {name}</>}
    </>
  );
}

/** Of what is gone, the name that it had. */
function useName({ subject, before, after }: Entry): ReactNode {
  switch (subject?.__typename) {
    case 'Member':
      return <MemberLink of={{ id: subject.id, name: subject.memberName }} />;
    case 'CouponPool':
      return (
        <ScreenLink to="/coupons/$id" params={{ id: subject.id }} size="sm">
          {subject.name}
        </ScreenLink>
      );
    case 'Coupon':
      return (
        <ScreenLink to="/coupons" search={{ code: subject.code }} size="sm">
          {subject.code}
        </ScreenLink>
      );
    case 'Tier':
      return (
        <ScreenLink to="/tiers" size="sm">
          {subject.name}
        </ScreenLink>
      );
    case 'User':
      return (
        <ScreenLink to="/team" size="sm">
          {subject.userName}
        </ScreenLink>
      );
    case 'ApiKey':
      return (
        <ScreenLink to="/keys" size="sm">
          {subject.name}
        </ScreenLink>
      );
    case 'Receipt':
      return (
        <ScreenLink to="/receipts" size="sm">
          {subject.merchant ?? subject.id}
        </ScreenLink>
      );
    case 'Store':
      return subject.name;
    default: {
      const name = after?.['name'] ?? before?.['name'];
      return typeof name === 'string' ? name : null;
    }
  }
}
