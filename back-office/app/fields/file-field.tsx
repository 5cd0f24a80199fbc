import { FileInput, type FileInputProps } from '@mantine/core';
import { useText } from '../messages/text.ts';

/** An input for one local file. */
export function FileField(props: FileInputProps) {
  const t = useText();
  return (
    <FileInput
      placeholder={t('file.choose')}
      clearable
      clearButtonProps={{ 'aria-label': t('dialog.clear') }}
      {...props}
    />
  );
}
