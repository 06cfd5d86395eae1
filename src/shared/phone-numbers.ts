/** Patterns of telephone numbers as people write them: what begins like an international one, nine digits of ours in any grouping. */
export const writtenPhones = [
  String.raw`(?:\+|(?<!\d)00)\d(?:[\s./_-]?\d){7,}`,
  String.raw`(?<!\d)(?:237[\s./_-]?)?[26](?:[\s./_-]?\d){8}(?!\d)`,
  String.raw`\b[26]\d?\d?(?:[ .-]\d{2,3}){2,4}\b`,
];
