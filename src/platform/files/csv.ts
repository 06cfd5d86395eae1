import { stringify } from 'csv-stringify/sync';

const decimals = new Intl.NumberFormat('fr', { maximumFractionDigits: 4, useGrouping: false });

/**
 * Returns CSV for French spreadsheets: semicolons, decimal commas, UTF-8. Texts that look like formulas are escaped.
 * @param bom whether a byte order mark comes first, as at the beginning of a file
 */
export const csvLines = (rows: readonly (readonly (string | number)[])[], bom = false): string =>
  stringify(rows as (string | number)[][], {
    delimiter: ';',
    bom,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { number: (value) => decimals.format(value) },
  });
