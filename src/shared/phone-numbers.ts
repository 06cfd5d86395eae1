/** Patterns of telephone numbers: international ones, and Cameroon's nine digits with any grouping. */
export const writtenPhones = [
  String.raw`(?:\+|(?<!\d)00)\d(?:[\s./_-]?\d){7,}`,
  String.raw`(?<!\d)(?:237[\s./_-]?)?[26](?:[\s./_-]?\d){8}(?!\d)`,
  String.raw`\b[26]\d?\d?(?:[ .-]\d{2,3}){2,4}\b`,
];
