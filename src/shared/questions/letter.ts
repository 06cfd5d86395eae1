/** Returns the letter of a choice in the order shown: 'A' for index 0. */
export const letterOf = (index: number): string => String.fromCharCode(65 + index);
