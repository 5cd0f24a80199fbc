import { describe, expect, test } from '@jest/globals';
import { AppError } from '@loyalty/platform/base/errors';
import fc from 'fast-check';
import { checkImage, IMAGE_BYTES_MAX } from './receipt-image.ts';
import { drawReceipt, receiptLines } from './receipts.fixture.ts';

const types = ['png', 'jpeg', 'webp'] as const;
const bytesOf = (type: (typeof types)[number]) => Buffer.from(drawReceipt(receiptLines(), type), 'base64');

function refusal(bytes: Buffer | string): [string, string] {
  try {
    checkImage('input.image', typeof bytes === 'string' ? bytes : bytes.toString('base64'));
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message];
    throw error;
  }
  return ['NONE', ''];
}

describe.each(types)('a %s', (type) => {
  test('is taken as it is', () => {
    const bytes = bytesOf(type);
    expect(checkImage('input.image', bytes.toString('base64')).equals(bytes)).toBe(true);
  });

  test('cut anywhere is refused', () => {
    const bytes = bytesOf(type);
    for (const part of [0.01, 0.3, 0.7, 0.99]) {
      expect(refusal(bytes.subarray(0, Math.floor(bytes.length * part)))[0]).toBe('IMAGE_INVALID');
    }
  });

  test('with any header and any bytes behind it is refused or taken, and never fails otherwise', () => {
    const start = bytesOf(type).subarray(0, 30);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(30), (noise, kept) => {
        refusal(Buffer.concat([start.subarray(0, kept), noise]));
      }),
      { numRuns: 300 },
    );
  });
});

test('a header that says 100,000 × 100,000 pixels is refused by the header alone', () => {
  const png = bytesOf('png');
  png.writeUInt32BE(100_000, 16);
  png.writeUInt32BE(100_000, 20);
  expect(refusal(png)).toEqual(['UPLOAD_TOO_LARGE', expect.stringContaining('25 megapixels')]);
  const jpeg = bytesOf('jpeg');
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(65_000, frame + 5);
  jpeg.writeUInt16BE(65_000, frame + 7);
  expect(refusal(jpeg)[0]).toBe('UPLOAD_TOO_LARGE');
});

test('a picture may have exactly 25 megapixels, and exactly 5 MiB', () => {
  const sized = (height: number) => {
    const png = bytesOf('png');
    png.writeUInt32BE(5_000, 16);
    png.writeUInt32BE(height, 20);
    return refusal(png)[0];
  };
  expect([sized(5_000), sized(5_001)]).toEqual(['NONE', 'UPLOAD_TOO_LARGE']);
  const filled = (bytes: number) => {
    const png = bytesOf('png');
    return refusal(Buffer.concat([png, Buffer.alloc(bytes - png.length)]))[0];
  };
  expect([filled(IMAGE_BYTES_MAX), filled(IMAGE_BYTES_MAX + 1)]).toEqual(['NONE', 'UPLOAD_TOO_LARGE']);
});

test.each([
  ['text', Buffer.from('<html>not an image</html>')],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00')],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a PDF', Buffer.from('%PDF-1.7')],
  ['nothing', Buffer.alloc(0)],
])('%s is no image here', (_, bytes) => {
  expect(refusal(bytes)).toEqual(['IMAGE_INVALID', 'input.image must be a JPEG, PNG or WebP image.']);
});

test('what is no base64 is refused with words on base64', () => {
  for (const text of ['%%%', 'data:image/png;base64,iVBORw0KGgo=', 'iVBORw0KGgo'])
    expect(refusal(text)).toEqual(['IMAGE_INVALID', expect.stringContaining('base64')]);
});

test('more than 5 MiB is refused, whatever it is', () => {
  expect(refusal(Buffer.alloc(IMAGE_BYTES_MAX + 1))[0]).toBe('UPLOAD_TOO_LARGE');
  expect(refusal('A'.repeat(20_000_000))[0]).toBe('UPLOAD_TOO_LARGE');
});
