/** Any of the words as words of their own, in any case; `~` stands for what tills print between two. */
function anyOf(...lists: readonly string[]): RegExp {
  const words = lists
    .flatMap((list) => list.split(','))
    .map((word) => word.trim().replaceAll('~', '[^\\p{L}\\d]*'));
  return new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'iu');
}

/** What is to be paid in the end, whatever other totals stand above. */
export const DUE = anyOf(
  'grand~total, total~due, amount~due, balance~due, total~payable, amount~payable, total~to~pay',
  'total~a~pagar, valor~a~pagar, [àa]~payer, total~ttc, zu~zahlen, gesamtbetrag, te~betalen',
  'totale~complessivo, importe~total',
);

export const TOTAL = anyOf('total, totale, totaal, gesamt, summe, montant, importe, amount, betrag');

/** Totals of something else. */
export const PARTIAL = anyOf(
  'sub~total, sub~totale, sub~totaal, subtot, zwischensumme, sous~total, suma~parcial, imponibile',
  'tax~total, vat~total, gst~total, iva~total, discount~total, savings~total, points~total, items~total',
  ...['total', 'totale', 'summe', 'gesamt'].map(
    (word) =>
      `${word}~(?:number~)?(?:of~|de~|do~|du~|in~)?(?:items?|articles?|artigos?|qty|pieces|lines|savings?` +
      '|saved|discounts?|descontos?|rabatt|taxe?s?|vat|gst|iva|mwst|tva|btw|points?|pontos|tips?|net|ht)',
  ),
);

/** Lines with amounts that are neither things bought nor totals. */
export const OTHER = anyOf(
  'cash, card, visa, mastercard, maestro, amex, debit, credit, change, tender, tendered, paid, payment',
  'troco, dinheiro, cart[aã]o, multibanco, bar, gegeben, r[üu]ckgeld, karte, esp[eè]ces, carte, rendu',
  'contante, resto, efectivo, tarjeta, cambio, tax, vat, gst, hst, pst, iva, mwst, tva, btw, ust, netto',
  'brutto, points?, balance, rounding, ticket, invoice, fatura, nif, tel, phone, receipt, rate',
);
