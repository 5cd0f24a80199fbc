import { AppError, invalid } from '@loyalty/platform/base/errors';
import type { LinkKind } from '@loyalty/platform/identity/signed-links';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';

/** 5 MiB. */
export const IMAGE_BYTES_MAX = 5 * 1024 * 1024;

const PIXELS_MAX = 25_000_000;

const SIDE_MIN = 50;

/**
 * An image format: functions that recognize it, read its size from the header, and check that it is complete.
 */
interface ImageKind {
  readonly starts: (bytes: Buffer) => boolean;
  readonly size: typeof PNG.calculate;
  readonly isWhole: (bytes: Buffer) => boolean;
}

const text = (bytes: Buffer, start: number, end: number) => bytes.toString('latin1', start, end);

const kinds: readonly ImageKind[] = [
  {
    starts: (bytes) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
    size: PNG.calculate,
    isWhole: hasPngEnd,
  },
  { starts: (bytes) => text(bytes, 0, 3) === '\xff\xd8\xff', size: JPG.calculate, isWhole: hasJpegEnd },
  {
    starts: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP',
    size: WEBP.calculate,
    isWhole: (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
  },
];

/**
 * Validates a picture and returns its bytes: a complete JPEG, PNG or WebP of at most 5 MiB and 25 megapixels.
 * Reads only headers, so that an image that would unpack to gigabytes is refused before it is unpacked.
 *
 * @throws AppError IMAGE_INVALID (400), UPLOAD_TOO_LARGE (413) naming the field
 */
export function checkImage(field: string, base64: string): Buffer {
  // Four characters are three bytes, so a text that is too long is refused without decoding.
  if (base64.length > Math.ceil(IMAGE_BYTES_MAX / 3) * 4) throw tooLarge(field, 'must have at most 5 MiB');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64)
    throw invalid(field, 'must be base64 (RFC 4648) with padding, without line ends', 'IMAGE_INVALID');
  if (bytes.length > IMAGE_BYTES_MAX) throw tooLarge(field, 'must have at most 5 MiB');
  const kind = kinds.find(({ starts }) => starts(bytes));
  if (!kind) throw invalid(field, 'must be a JPEG, PNG or WebP image', 'IMAGE_INVALID');
  const { width, height } = sizeOf(field, kind, bytes);
  if (width * height > PIXELS_MAX)
    throw tooLarge(field, `must have at most 25 megapixels; it says it has ${width} × ${height}`);
  if (width < SIDE_MIN || height < SIDE_MIN)
    throw invalid(field, `must be at least ${SIDE_MIN} pixels wide and high`, 'IMAGE_INVALID');
  if (!isWhole(kind, bytes))
    throw invalid(field, 'must be a complete image: its end is missing', 'IMAGE_INVALID');
  return bytes;
}

function sizeOf(field: string, { size }: ImageKind, bytes: Buffer): { width: number; height: number } {
  try {
    const { width, height } = size(bytes);
    if (width > 0 && height > 0) return { width, height };
  } catch {}
  throw invalid(field, 'must be a complete image: its header cannot be read', 'IMAGE_INVALID');
}

function isWhole(kind: ImageKind, bytes: Buffer): boolean {
  try {
    return kind.isWhole(bytes);
  } catch {
    return false;
  }
}

/** Walks from chunk to chunk. @throws RangeError past the end */
function hasPngEnd(bytes: Buffer): boolean {
  let place = 8;
  while (text(bytes, place + 4, place + 8) !== 'IEND') place += 12 + bytes.readUInt32BE(place);
  return place + 12 <= bytes.length;
}

/**
 * Walks over the segments to the start of the pixels and searches the end marker after it. A segment may
 * contain a thumbnail with its own end marker. @throws RangeError past the end
 */
function hasJpegEnd(bytes: Buffer): boolean {
  let place = 2;
  for (;;) {
    const marker = bytes.readUInt16BE(place);
    if (marker === 0xffff) place += 1;
    else if (marker === 0xffda) return bytes.indexOf('ffd9', place, 'hex') >= 0;
    else if (marker < 0xff01) return false;
    else place += 2 + bytes.readUInt16BE(place + 2);
  }
}

const tooLarge = (field: string, rule: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', 'UPLOAD_TOO_LARGE', `${field} ${rule}.`, { field });

/** Signed links to the pictures of receipts. */
export const imageLinks: LinkKind = { path: 'receipt-images', context: 'receipt.image-link' };
