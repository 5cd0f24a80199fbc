import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useText } from '../messages/text.ts';

/** An act that destroys something. */
export interface Danger {
  /** What it is done to, as people know it. */
  readonly name: string;
  /** It cannot be undone: the name has to be typed. */
  readonly isFinal?: boolean;
}

interface TypedName {
  /** The input, where the act needs one. */
  readonly field: ReactNode;
  /** True where the act may go on; else the input says what is missing. */
  readonly check: () => boolean;
}

/** Asks for the name of what is destroyed for good. */
export function useTypedName(danger: Danger | undefined): TypedName {
  const t = useText();
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  if (!danger?.isFinal) return { field: null, check: () => true };
  const { name } = danger;
  const field = (
    <TextInput
      label={t('danger.typeName', { name })}
      required
      autoComplete="off"
      value={typed}
      error={isRefused && t('danger.nameDiffers', { name })}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        setRefused(false);
      }}
    />
  );
  const check = () => {
    const isTyped = typed.trim() === name.trim();
    setRefused(!isTyped);
    return isTyped;
  };
  return { field, check };
}
