/** Bytes of one part of a file, as `appendImport` takes them. */
const PART_BYTES = 184_320;

/** The parts of a file in base64; the last one may be shorter, and an empty file has one. */
export async function* partsOf(file: Blob): AsyncGenerator<{ readonly part: number; readonly data: string }> {
  const count = partCount(file);
  for (let part = 0; part < count; part += 1) {
    const bytes = await file.slice(part * PART_BYTES, (part + 1) * PART_BYTES).bytes();
    yield { part, data: base64(bytes) };
  }
}

export const partCount = ({ size }: Pick<Blob, 'size'>): number => Math.max(1, Math.ceil(size / PART_BYTES));

const CHUNK = 8_192;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
