import type { VersionSummary } from '../items/records.ts';
import { formatMoment } from '../items/times.ts';

/**
 * Returns two texts for each version: the time, with seconds if another version has the same minute; and the length, after the version's
 * title if that differs from the current title.
 */
export function versionLines(versions: readonly VersionSummary[], now: Date): { moment: string; details: string }[] {
  const moments = versions.map(({ saved_at }) => formatMoment(saved_at, now));
  const shown = (version: VersionSummary | undefined) => version?.intitule || version?.titre;
  const titre = shown(versions.find(({ current }) => current));
  return versions.map((version, index) => {
    const moment = moments[index] ?? '';
    const alone = moments.indexOf(moment) === moments.lastIndexOf(moment);
    const title = shown(version) === titre ? '' : `« ${shown(version)} », `;
    return { moment: alone ? moment : `${moment}:${version.saved_at.slice(17, 19)}`, details: title + counted(version.longueur) };
  });
}

const counted = (characters: number): string =>
  `${new Intl.NumberFormat('fr').format(characters).replaceAll(/\s/g, ' ')} ${characters < 2 ? 'caractère' : 'caractères'}`;
