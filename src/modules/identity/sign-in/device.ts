/** What browsers call themselves, the narrower name first: most of them name others too. */
const browsers: [pattern: RegExp, name: string][] = [
  [/Opera Mini/, 'Opera Mini'],
  [/OPR\/|Opera/, 'Opera'],
  [/EdgA?\/|EdgiOS\//, 'Edge'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/UCBrowser\/|UCWEB/, 'UC Browser'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: [pattern: RegExp, name: string][] = [
  [/KAIOS/i, 'KaiOS'],
  [/Android/, 'Android'],
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

/** A device as its owner knows it, « Chrome, Android », of a User-Agent; null when that names neither. At most 60 characters. */
export function describeDevice(userAgent: string | undefined): string | null {
  // What comes from outside is bounded before it is looked at.
  const text = userAgent?.slice(0, 500) ?? '';
  const named = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(text))?.[1]);
  return named.filter(Boolean).join(', ') || null;
}
