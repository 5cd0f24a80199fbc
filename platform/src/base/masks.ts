// What is shown of personal data to those who may not read it, or do not want to: the same from the graph and
// on screens. What is masked already stays as it is.

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

/** The first character, whole even where it takes two code units. */
const first = (text: string): string => Array.from(text)[0] ?? '';
