import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { amountsIn } from './receipt-amounts.ts';
import { dateIn } from './receipt-dates.ts';
import { readReceiptText } from './receipt-text.ts';

const now = new Date('2026-03-20T10:00:00.000Z');
const read = (text: string, currency: string | null = null) => readReceiptText(text, { currency, now });

describe('amounts', () => {
  test.each([
    ['Espresso 1.20', 2, [120n]],
    ['Espresso 1,20', 2, [120n]],
    ['TV 1.234,56', 2, [123_456n]],
    ['TV 1,234.56', 2, [123_456n]],
    ["TV 1'234.56", 2, [123_456n]],
    ['Deposit -0.25', 2, [-25n]],
    ['Deposit 0,25-', 2, [-25n]],
    ['2 x 1.50 3.00', 2, [150n, 300n]],
    ['€12.50', 2, [1_250n]],
    ['12,50 €', 2, [1_250n]],
    ['VAT 23.00% 1.23', 2, [123n]],
    ['12.05.2026 18:24', 2, []],
    ['12/05/26', 2, []],
    ['Tel 210 123 4567', 2, []],
    ['Ramen 1,200', 0, [1_200n]],
    ['Ramen ¥980', 0, [980n]],
    ['Dates 1.250', 3, [1_250n]],
    ['6 . 60', 2, [660n]],
  ])('%s, %i digits behind the mark', (line, digits, minor) => {
    expect(amountsIn(line, digits).map((amount) => amount.minor)).toEqual(minor);
  });

  const styles = [
    { group: ',', mark: '.' },
    { group: '.', mark: ',' },
    { group: "'", mark: '.' },
    { group: '', mark: '.' },
    { group: '', mark: ',' },
    { group: '\u00a0', mark: ',' },
  ];
  test('every amount is read back from every style in which it is printed', () => {
    const amounts = fc.record({
      minor: fc.bigInt({ min: 0n, max: 99_999_999_999n }),
      style: fc.constantFrom(...styles),
      symbol: fc.constantFrom('', '€', '$', '£ ', 'EUR '),
      label: fc.constantFrom('TOTAL ', 'Bread  ', 'A-1 '),
    });
    fc.assert(
      fc.property(amounts, ({ minor, style, symbol, label }) => {
        const digits = minor.toString().padStart(3, '0');
        const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, style.group);
        const line = `${label}${symbol}${whole}${style.mark}${digits.slice(-2)}`;
        expect(amountsIn(line, 2).at(-1)?.minor).toBe(minor);
      }),
      { numRuns: 500 },
    );
  });

  test('no text makes it fail or hang', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."0123456789.,-' \u00a0%:/xTOAL€$\n"), maxLength: 400 }),
        (text) => {
          read(text);
          read(text, 'JPY');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('days', () => {
  test.each<[string, string | null, string | null, boolean]>([
    ['2026-03-01 18:24', null, '2026-03-01', false],
    ['2026/03/01', null, '2026-03-01', false],
    ['17/03/2026', null, '2026-03-17', false],
    ['03/17/2026', null, '2026-03-17', false],
    ['02/03/2026', 'USD', '2026-02-03', false],
    ['02/03/2026', 'EUR', '2026-03-02', false],
    ['02/03/26', 'GBP', '2026-03-02', false],
    ['02.03.2026', null, '2026-03-02', false],
    ['02/03/2026', null, '2026-03-02', true],
    ['02/03/2026', 'CAD', '2026-03-02', true],
    // 3 December is in the future.
    ['03/12/2026', null, '2026-03-12', false],
    ['02/02/2026', null, '2026-02-02', false],
    ['1 Mar 2026', null, '2026-03-01', false],
    ['01-MAR-26', null, '2026-03-01', false],
    ['March 1st, 2026', null, '2026-03-01', false],
    ['1 de fevereiro de 2026', null, '2026-02-01', false],
    ['3. Dezember 2025', null, '2025-12-03', false],
    ['14 juillet 2025', null, '2025-07-14', false],
    ['30/02/2026', null, null, false],
    ['2031-01-01', null, null, false],
    ['01.01.1999', null, null, false],
    ['Bread 12.50', null, null, false],
  ])('%s in %s', (line, currency, day, isAmbiguous) => {
    expect(dateIn([line], currency, now)).toEqual(day === null ? null : { day, isAmbiguous });
  });

  test('the line with the time or the word date wins over other days', () => {
    expect(dateIn(['Offer since 01.02.2026', 'Date: 05.03.2026'], null, now)?.day).toBe('2026-03-05');
    expect(dateIn(['Since 2025-05-05', '05.03.2026 12:30'], null, now)?.day).toBe('2026-03-05');
  });
});

const lisbon = `CORNER SHOP, LDA
Rua Augusta 12, 1100-053 Lisboa
NIF 501234567
2026-03-01 18:24
Espresso 1,20
Pastel de nata 2,40
Pao 2 x 1,50 3,00
SUBTOTAL 6,60
IVA 23% 1,23
TOTAL EUR 6,60
MULTIBANCO 6,60`;

describe('whole receipts', () => {
  test('a Portuguese one gives merchant, day, total, items and no doubt', () => {
    expect(read(lisbon)).toEqual({
      merchant: 'CORNER SHOP, LDA',
      currency: 'EUR',
      totalMinor: 660n,
      purchasedOn: '2026-03-01',
      items: [
        { name: 'Espresso', quantity: 1, amountMinor: 120 },
        { name: 'Pastel de nata', quantity: 1, amountMinor: 240 },
        { name: 'Pao', quantity: 2, amountMinor: 300 },
      ],
      doubts: [],
    });
  });

  test.each<[string, string, bigint]>([
    ['TOTAL after SUBTOTAL', 'Sub Total $20.00\nTax $1.60\nTOTAL $21.60\nVISA $21.60', 2_160n],
    [
      'TOTAL DUE over TOTAL',
      '$\nTOTAL 20.00\nDiscount -2.00\nTOTAL DUE 18.00\nCash 20.00\nChange 2.00',
      1_800n,
    ],
    ['GRAND TOTAL', 'Total 10.00\nGRAND TOTAL USD 11.00', 1_100n],
    ['not what was saved', 'TOTAL £9.99\nTOTAL SAVINGS £1.50', 999n],
    ['not the number of items', 'Total items 3\nTotal £9.99\nVAT total 1.20', 999n],
    ['the line below the label', 'TOTAL\n€ 1.234,56\nKarte', 123_456n],
    ['German', 'Zwischensumme 9,00\nSUMME EUR 8,50\nGegeben 10,00\nRückgeld 1,50', 850n],
    ['French', 'Sous-total 9,00 €\nTOTAL TTC 9,50 €\nTVA 20% 1,58', 950n],
    ['French to pay', 'Total HT 9,00 €\nÀ PAYER 10,80 €', 1_080n],
    ['Spanish', 'Subtotal 8,00 €\nIMPORTE TOTAL 9,68 €\nIVA 21% 1,68', 968n],
    ['with spaces between thousands', 'TOTAL 1 234,50 €', 123_450n],
    ['a whole number', 'TOTAL $12', 1_200n],
    ['the count in front', 'TOTAL (3 items) $6.60', 660n],
  ])('the total: %s', (_, text, total) => {
    expect(read(text).totalMinor).toBe(total);
  });

  test('yen have no cents, with or without groups', () => {
    expect(read('ラーメン ¥980\nTOTAL ¥1,960').totalMinor).toBe(1_960n);
    expect(read('TOTAL 1960', 'JPY').totalMinor).toBe(1_960n);
  });

  test('what cannot be known is a doubt', () => {
    expect(read('hello\nworld').doubts).toEqual(['NO_TOTAL', 'NO_DATE', 'NO_CURRENCY']);
    expect(read('TOTAL 5.00\nTOTAL 7.00\n02/03/2026', 'CAD').doubts).toEqual([
      'AMBIGUOUS_TOTAL',
      'AMBIGUOUS_DATE',
    ]);
    expect(read('').totalMinor).toBeNull();
  });

  test('the currency of the submission wins', () => {
    expect(read('TOTAL $5.00 2026-03-01', 'CAD')).toMatchObject({ currency: 'CAD', totalMinor: 500n });
  });
});
