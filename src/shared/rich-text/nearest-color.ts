import { backgroundColors, type PaletteColor, textColors } from './palette.ts';

/** Returns the palette's name for a CSS colour; null for nearly black or white, and for an unreadable value. */
export function nearestTextColor(css: string): string | null {
  const hsl = toHsl(css);
  if (!hsl) return null;
  if (hsl.lightness < 0.16 || hsl.lightness > 0.94) return null;
  // Style sheets often use dark grey instead of black.
  if (hsl.saturation < 0.15) return hsl.lightness < 0.3 ? null : 'gray';
  return nearest(hsl, textColors);
}

export function nearestBackgroundColor(css: string): string | null {
  const hsl = toHsl(css);
  if (!hsl || hsl.lightness > 0.97) return null;
  if (hsl.saturation < 0.15) return hsl.lightness > 0.5 ? 'gray' : null;
  return nearest(hsl, backgroundColors);
}

interface Hsl {
  /** Hue, in degrees. */
  hue: number;
  saturation: number;
  lightness: number;
}

function nearest({ hue, lightness }: Hsl, palette: readonly PaletteColor[]): string {
  let best = palette[0] as PaletteColor;
  let least = Number.POSITIVE_INFINITY;
  for (const color of palette) {
    const own = hslOf(color.rgb);
    // Greys have no hue to compare.
    if (own.saturation < 0.15) continue;
    const turn = Math.abs(own.hue - hue);
    const distance = Math.min(turn, 360 - turn) / 180 + Math.abs(own.lightness - lightness) * 0.2;
    if (distance < least) [best, least] = [color, distance];
  }
  return best.name;
}

const NAMED: Readonly<Record<string, string>> = {
  red: 'ff0000',
  darkred: '8b0000',
  maroon: '800000',
  crimson: 'dc143c',
  orange: 'ffa500',
  darkorange: 'ff8c00',
  yellow: 'ffff00',
  gold: 'ffd700',
  olive: '808000',
  lime: '00ff00',
  green: '008000',
  darkgreen: '006400',
  teal: '008080',
  darkcyan: '008b8b',
  aqua: '00ffff',
  cyan: '00ffff',
  turquoise: '40e0d0',
  blue: '0000ff',
  navy: '000080',
  darkblue: '00008b',
  royalblue: '4169e1',
  purple: '800080',
  indigo: '4b0082',
  violet: 'ee82ee',
  magenta: 'ff00ff',
  fuchsia: 'ff00ff',
  darkmagenta: '8b008b',
  pink: 'ffc0cb',
  brown: 'a52a2a',
  gray: '808080',
  grey: '808080',
  darkgray: 'a9a9a9',
  lightgrey: 'd3d3d3',
  lightgray: 'd3d3d3',
  silver: 'c0c0c0',
  black: '000000',
  white: 'ffffff',
};

function toHsl(css: string): Hsl | null {
  const text = css.trim().toLowerCase();
  if (text.length > 60) return null;
  const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
  const [, short] = /^#([0-9a-f]{3})$/.exec(text) ?? [];
  const hex = named ?? /^#([0-9a-f]{6})(?:[0-9a-f]{2})?$/.exec(text)?.[1] ?? short?.replaceAll(/./g, '$&$&');
  if (hex) return hslOf([0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]);
  const numbers = /^rgba?\(([^()]*)\)$/
    .exec(text)?.[1]
    ?.split(/[\s,/]+/)
    .filter(Boolean);
  if (!numbers || numbers.length < 3) return null;
  const [red, green, blue, alpha] = numbers.map((part) => Number.parseFloat(part) * (part.endsWith('%') ? 2.55 : 1));
  if (alpha === 0 || [red, green, blue].some((part) => part === undefined || !(part >= 0 && part <= 255))) return null;
  return hslOf([red, green, blue] as [number, number, number]);
}

function hslOf([red, green, blue]: readonly [number, number, number]): Hsl {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const most = Math.max(r, g, b);
  const range = most - Math.min(r, g, b);
  const lightness = most - range / 2;
  if (range === 0) return { hue: 0, saturation: 0, lightness };
  const sixth = most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return { hue: sixth * 60, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness };
}
