import { formatDate, formatShortDay } from '../dates.ts';
import type { ItemKind } from '../item-kinds.ts';
import { type PlacedItem, presentPlace, studyHref } from './place.ts';
import { describeMark, formatSpent, onTwenty } from './points.ts';

/** A mark that a learner gave a practice. */
export interface PlacedMark extends PlacedItem {
  /** Whether the learner may practise the item now. */
  access: boolean;
  points: number;
  /** The most points of the scale. */
  possible: number;
  /** Time used, in seconds; null if it was not measured. */
  seconds: number | null;
  markedAt: Date;
}

/** Maximum number of marks on the page, and of those in the curve of a prepa. */
export const [maxMarks, maxInCurve] = [100, 12];

/** Returns the learner's marks by prepa for `training/marks`; `marks` are the latest, at most `maxMarks`, newest first. */
export function presentMarks(marks: readonly PlacedMark[]) {
  const prepas = new Map<number, { nom: string; marks: ReturnType<typeof presentMark>[] }>();
  for (const mark of marks) {
    const prepa = prepas.get(mark.prepaId) ?? { nom: mark.prepaNom, marks: [] };
    prepas.set(mark.prepaId, prepa);
    prepa.marks.push(presentMark(mark));
  }
  return {
    title: 'Mes épreuves',
    /** Number of listed marks if there may be more; else null. */
    most: marks.length === maxMarks ? maxMarks : null,
    prepas: [...prepas].map(([id, prepa]) => ({ id, ...prepa })),
  };
}

const presentMark = (mark: PlacedMark) => ({
  titre: mark.titre,
  place: presentPlace(mark),
  note: describeMark(mark.points, mark.possible),
  spent: mark.seconds === null ? null : formatSpent(mark.seconds),
  date: formatDate(mark.markedAt),
  /** Address of the practice; null when the learner may not read the prepa now. */
  href: mark.access ? `${studyHref(mark.prepaId, mark.disciplineId)}/entrainement?type=${mark.kind}&item=${mark.id}` : null,
});

/** A mark in the curve of a prepa, as JSON of the database. */
export interface CurveMark {
  titre: string;
  kind: ItemKind;
  points: number;
  possible: number;
  /** In ms. */
  at: number;
}

/** Size of the curve, in its own units, and of the space for labels and dots around it. */
const size = { width: 320, height: 96, left: 28, right: 12, top: 10, bottom: 10 };
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Returns the curve of a prepa's marks out of 20, oldest first; null for fewer than two. @param marks newest first */
export function presentCurve(marks: readonly CurveMark[]) {
  if (marks.length < 2) return null;
  const { width, height, left, right, top, bottom } = size;
  const across = (width - left - right) / (marks.length - 1);
  const y = (mark: number): number => rounded(top + ((20 - mark) / 20) * (height - top - bottom));
  const points = marks.toReversed().map(({ titre, points, possible, at }, index) => ({
    x: rounded(left + index * across),
    y: y(onTwenty(points, possible)),
    /** The same as a text, for screen readers. */
    text: `${describeMark(points, possible)} le ${formatShortDay(new Date(at))}, ${titre}`,
  }));
  return {
    width,
    height,
    line: points.map(({ x, y }) => `${x},${y}`).join(' '),
    points,
    /** Horizontal lines with their labels. */
    levels: [0, 10, 20].map((mark) => ({ mark, y: y(mark), from: left - 4, to: width - right + 4 })),
    last: points.at(-1)?.text ?? '',
  };
}
