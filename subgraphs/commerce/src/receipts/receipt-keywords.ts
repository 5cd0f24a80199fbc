/**
 * Matches any of the words as whole words, in upper or lower case. `~` stands for the separators that tills
 * print between two words.
 */
function anyOf(...lists: readonly string[]): RegExp {
  const words = lists
    .flatMap((list) => list.split(','))
    .map((word) => word.trim().replaceAll('~', '[^\\p{L}\\d]*'));
  return new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'iu');
}

/** Labels of the amount to pay. They have priority over other totals. */
export const DUE = anyOf(
  'grand~total, total~due, amount~due, balance~due, total~payable, amount~payable, total~to~pay',
  'total~a~pagar, valor~a~pagar, [àa]~payer, total~ttc, zu~zahlen, gesamtbetrag, te~betalen',
  'totale~complessivo, importe~total',
);

export const TOTAL = anyOf('total, totale, totaal, gesamt, summe, montant, importe, amount, betrag');

/** Labels of other totals. */
export const PARTIAL = anyOf(
  'sub~total, sub~totale, sub~totaal, subtot, zwischensumme, sous~total, suma~parcial, imponibile',
  'tax~total, vat~total, gst~total, iva~total, discount~total, savings~total, points~total, items~total',
  ...['total', 'totale', 'summe', 'gesamt'].map(
    (word) =>
      `${word}~(?:number~)?(?:of~|de~|do~|du~|in~)?(?:items?|articles?|artigos?|qty|pieces|lines|savings?` +
      '|saved|discounts?|descontos?|rabatt|taxe?s?|vat|gst|iva|mwst|tva|btw|points?|pontos|tips?|net|ht)',
  ),
);

/** Words in lines with amounts that are neither items nor totals. */
export const OTHER = anyOf(
  'cash, card, visa, mastercard, maestro, amex, debit, credit, change, tender, tendered, paid, payment',
  'troco, dinheiro, cart[aã]o, multibanco, bar, gegeben, r[üu]ckgeld, karte, esp[eè]ces, carte, rendu',
  'contante, resto, efectivo, tarjeta, cambio, tax, vat, gst, hst, pst, iva, mwst, tva, btw, ust, netto',
  'brutto, points?, balance, rounding, ticket, invoice, fatura, nif, tel, phone, receipt, rate',
);
