import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { MemberLink } from '../../design/member-link.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import en from './audit-words.en.json';
import pt from './audit-words.pt.json';
import type { AuditLogQuery } from './generated/audit.ts';

type Entry = AuditLogQuery['auditLog']['nodes'][number];

/** The changed object: its type and its name, with a link to its screen if there is one. */
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

/** The name of the changed object. A deleted object has the name that the entry recorded. */
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

type Words = Readonly<Record<string, string>>;

const texts: Readonly<Record<string, Words>> = { en, pt };

interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * The names of actions and types in the person's language. A new one without a translation keeps its name in
 * the graph.
 */
export function useAuditWords() {
  const { locale } = useIntl();
  const words: Words = texts[locale] ?? en;
  const choices = (start: 'act.' | 'type.'): Choice[] =>
    Object.entries(words)
      .filter(([key]) => key.startsWith(start))
      .map(([key, label]) => ({ value: key.slice(start.length), label }))
      .sort((one, other) => one.label.localeCompare(other.label, locale));
  return {
    actOf: (action: string): string => words[`act.${action}`] ?? action,
    typeOf: (type: string): string => words[`type.${type}`] ?? type,
    acts: choices('act.'),
    types: choices('type.'),
  };
}
