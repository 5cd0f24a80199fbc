import type { OutgoingMail, Sender } from './transport.ts';

/** Who a message is from: its own address, or the provider's with its name. */
export const senderOf = (mail: OutgoingMail, sender: Sender): Sender =>
  mail.from ? { address: mail.from, name: null } : sender;

/** A sender as RFC 5322 writes it; other characters than ASCII are encoded by RFC 2047. */
export function mailbox({ address, name }: Sender): string {
  if (name === null || name === '') return address;
  const isAscii = /^[\x20-\x7e]*$/.test(name);
  const shown = isAscii ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name);
  return `${shown} <${address}>`;
}

/** Bytes of UTF-8 in one encoded word: its 75 characters hold 45 bytes in base64, less a whole character. */
const WORD_BYTES = 42;

function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
}

/** A subject is one line. */
export const subjectOf = ({ subject }: OutgoingMail): string => subject.replace(/[\r\n]+/g, ' ');
