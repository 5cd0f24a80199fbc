import { Text } from '@mantine/core';
import { None } from '../../design/values.tsx';

type Values = Readonly<Record<string, unknown>> | null | undefined;

const LISTED = 5;

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  const more = value.length > LISTED ? ` … (${value.length})` : '';
  return value.slice(0, LISTED).map(shown).join(', ') + more;
};

/** Whether two values say the same. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Said elsewhere beside each change. */
const SAID = ['id', 'createdAt', 'updatedAt'];

/** `upgradeThreshold` as words. */
const words = (name: string): string => {
  const text = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The values that differ, before and after. */
export function Diff({ before, after }: { readonly before: Values; readonly after: Values }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => !SAID.includes(name) && !isSame(before?.[name], after?.[name]));
  if (changed.length === 0) return <None />;
  return (
    <div style={{ minWidth: 0, textAlign: 'left' }}>
      {changed.map((name) => (
        <Text size="sm" key={name} style={{ overflowWrap: 'anywhere' }}>
          {words(name)}: {before && <del>{shown(before[name])}</del>}{' '}
          {after && <ins>{shown(after[name])}</ins>}
        </Text>
      ))}
    </div>
  );
}
