/** A colour of text or background: the schema stores its name, the style sheets define its values for light and dark. */
export interface PaletteColor {
  readonly name: string;
  /** French name, for the editor. */
  readonly label: string;
  /** Value with which pasted colours are compared. */
  readonly rgb: readonly [red: number, green: number, blue: number];
}

/** Text colours: dark enough to be readable on paper. */
export const textColors: readonly PaletteColor[] = [
  { name: 'red', label: 'Rouge', rgb: [192, 32, 32] },
  { name: 'orange', label: 'Orange', rgb: [184, 84, 0] },
  { name: 'green', label: 'Vert', rgb: [30, 120, 50] },
  { name: 'teal', label: 'Turquoise', rgb: [0, 115, 125] },
  { name: 'blue', label: 'Bleu', rgb: [0, 90, 200] },
  { name: 'purple', label: 'Violet', rgb: [120, 50, 170] },
  { name: 'pink', label: 'Rose', rgb: [190, 0, 100] },
  { name: 'brown', label: 'Marron', rgb: [120, 75, 35] },
  { name: 'gray', label: 'Gris', rgb: [100, 100, 100] },
];

/** Background colours: light enough for readable text. */
export const backgroundColors: readonly PaletteColor[] = [
  { name: 'yellow', label: 'Jaune', rgb: [255, 240, 120] },
  { name: 'orange', label: 'Orange', rgb: [255, 215, 170] },
  { name: 'green', label: 'Vert', rgb: [190, 240, 190] },
  { name: 'teal', label: 'Turquoise', rgb: [175, 240, 240] },
  { name: 'blue', label: 'Bleu', rgb: [195, 220, 255] },
  { name: 'purple', label: 'Violet', rgb: [225, 205, 255] },
  { name: 'pink', label: 'Rose', rgb: [255, 205, 225] },
  { name: 'gray', label: 'Gris', rgb: [220, 220, 220] },
];

const textNames = new Set(textColors.map(({ name }) => name));
const backgroundNames = new Set(backgroundColors.map(({ name }) => name));
export const isTextColor = (value: unknown): boolean => typeof value === 'string' && textNames.has(value);
export const isBackgroundColor = (value: unknown): boolean => typeof value === 'string' && backgroundNames.has(value);
