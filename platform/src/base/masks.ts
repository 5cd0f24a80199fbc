// Masked forms of personal data, for readers without the permission or the need to read them. The graph and
// the screens use the same functions. Masking a masked value returns it unchanged.

/** `jane@example.com` → `j***@e***.com`. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${first(local)}***@${first(domain)}***.${domain.slice(domain.lastIndexOf('.') + 1)}`;
}

/** `Jane van Doe` → `J. D.`. */
export function maskName(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const shown = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return shown.map((word) => `${first(word).toUpperCase()}.`).join(' ');
}

/** `+351 912 345 678` → `***78`. */
export const maskPhone = (phone: string): string => `***${phone.slice(-2)}`;

/** Returns the first character, complete even if it takes two code units. */
const first = (text: string): string => Array.from(text)[0] ?? '';
