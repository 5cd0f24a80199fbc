import { StringDecoder } from 'node:string_decoder';
import { anObject, validJson } from '../base/input-rules.ts';
import {
  NOT_UTF8,
  type Parser,
  RECORD_LENGTH_MAX,
  type SourceRecord,
  TOO_LONG,
  unreadable,
} from './records.ts';

/** Reads one JSON object per line as a stream; a line that is not JSON refuses only its own row. */
export function ndjsonParser(): Parser {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let row = 0;
  let isSkipping = false;

  function read(text: string, isEnd: boolean): SourceRecord[] {
    const lines = text.split('\n');
    rest = isEnd ? '' : lines.pop()!;
    if (isEnd && lines.at(-1) === '') lines.pop();
    const records: SourceRecord[] = [];
    for (const line of lines) {
      // This is the end of an overlong row that was already reported.
      if (isSkipping) isSkipping = false;
      else {
        row += 1;
        records.push(recordOf(line.replace(/^\uFEFF/, ''), row));
      }
    }
    if (rest.length > RECORD_LENGTH_MAX) {
      if (!isSkipping) {
        row += 1;
        records.push({ row, object: null, fault: unreadable(TOO_LONG) });
      }
      isSkipping = true;
      rest = '';
    }
    return records;
  }

  return {
    push: (bytes) => read(rest + decoder.write(bytes), false),
    end: () => read(rest + decoder.end(), true),
  };
}

function recordOf(line: string, row: number): SourceRecord {
  if (line.trim() === '') return { row, object: null, fault: null };
  if (line.length > RECORD_LENGTH_MAX) return { row, object: null, fault: unreadable(TOO_LONG) };
  if (line.includes('\uFFFD')) {
    return { row, object: null, fault: unreadable(NOT_UTF8) };
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { row, object: null, fault: unreadable({ ...validJson, text: 'is not valid JSON' }) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { row, object: null, fault: unreadable({ ...anObject, text: 'must be a JSON object' }) };
  return { row, object: value as Record<string, unknown>, fault: null };
}
