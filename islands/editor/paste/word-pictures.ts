import { nodesIn, shapesOf, vmlPictures } from '../../../src/shared/rich-text/foreign/readers/vml-pictures.ts';
import { type RtfPicture, rtfPictures } from './rtf-images.ts';

/** A picture in Word's HTML, in order. */
interface Place {
  readonly image: Element;
  /** Its shapes: several for a group. */
  readonly shapes: readonly { readonly isFloating: boolean; readonly number: number }[];
}

type Pairs = Map<Place, RtfPicture>;

const isFile = (image: Element): boolean => /^file:/i.test(image.getAttribute('src') ?? '');

/**
 * Fills pictures whose files are on the author's computer with the data in the RTF. Matches them by shape number if both have it; then by
 * order if equally many are left on both sides; then by size if it is unique. The others keep their address and are reported.
 */
export function fillPictures(body: Element, rtf: string): void {
  const places = placesIn(body);
  const files = places.filter(({ image }) => isFile(image));
  if (files.length === 0) return;
  const pictures = rtfPictures(rtf);
  // Word embeds some pictures in the HTML itself. Try the match with and without them, since the RTF may have them too.
  const pairs = [places, files].map((some) => paired(some, pictures)).toSorted((a, b) => filled(b, files) - filled(a, files))[0] as Pairs;
  for (const place of files) fill(place.image, pairs.get(place));
  const known = new Set(pairs.values());
  for (const place of files) {
    // A group is one picture in the HTML but several in the RTF.
    const others = place.shapes.flatMap((shape) => pictures.filter((picture) => !known.has(picture) && isOf(picture, shape)));
    for (const picture of others.toReversed()) {
      const image = place.image.ownerDocument.createElement('img');
      fill(image, picture);
      if (image.hasAttribute('src')) place.image.after(image);
    }
  }
}

const filled = (pairs: Pairs, files: readonly Place[]): number => files.filter((place) => pairs.get(place)?.image).length;

function fill(image: Element, picture: RtfPicture | undefined): void {
  if (picture?.image) image.setAttribute('src', `data:${picture.image.type};base64,${picture.image.base64}`);
}

function placesIn(body: Element): Place[] {
  const spids = new Map(
    (nodesIn(body, 8) as Comment[]).flatMap(({ data }) => vmlPictures(data).map(({ id, spid }) => [id, spid] as const)),
  );
  return [...body.querySelectorAll('img')].flatMap((image) => {
    if (!isFile(image) && !image.hasAttribute('v:shapes')) return [];
    const shapes = shapesOf(image).flatMap((id) => {
      const [, kind, number] = /^_x0000_([is])(\d{1,9})$/.exec(spids.get(id) ?? id) ?? [];
      return kind === undefined ? [] : [{ isFloating: kind === 's', number: Number(number) }];
    });
    return [{ image, shapes }];
  });
}

const isOf = (picture: RtfPicture, { isFloating, number }: Place['shapes'][number]): boolean =>
  picture.isFloating === isFloating && picture.shape === number;

function paired(places: readonly Place[], pictures: readonly RtfPicture[]): Pairs {
  const pairs: Pairs = new Map();
  const left = (isFloating?: boolean): [Place[], RtfPicture[]] => {
    const known = new Set(pairs.values());
    const isOne = (floating: boolean | undefined): boolean => isFloating === undefined || floating === isFloating;
    return [
      places.filter((place) => !pairs.has(place) && isOne(place.shapes[0]?.isFloating)),
      pictures.filter((picture) => !known.has(picture) && isOne(picture.isFloating)),
    ];
  };
  const inOrder = (isFloating?: boolean): void => {
    const [some, found] = left(isFloating);
    if (some.length !== found.length) return;
    for (const [index, place] of some.entries()) pairs.set(place, found[index] as RtfPicture);
  };
  const numbered = byNumber(places, pictures);
  // Inline pictures have the same order in HTML and RTF. If the numbers have another order, they are not shape numbers.
  const at = places.flatMap((place) =>
    place.shapes[0]?.isFloating === false ? [pictures.indexOf(numbered.get(place) as RtfPicture)] : [],
  );
  const isOrdered = at.filter((index) => index !== -1).every((index, order, all) => order === 0 || index > (all[order - 1] as number));
  for (const [place, picture] of numbered) if (isOrdered || picture.isFloating) pairs.set(place, picture);
  for (const isFloating of [false, true, undefined]) inOrder(isFloating);
  for (const [place, picture] of bySize(...left())) pairs.set(place, picture);
  return pairs;
}

/** Matches a picture and a place if their sizes are equal and no other has that size. */
function bySize(places: readonly Place[], pictures: readonly RtfPicture[]): Pairs {
  const isAs = ({ image }: Place, { width, height }: RtfPicture): boolean =>
    width > 0 &&
    [width - Number(image.getAttribute('width') ?? 0), height - Number(image.getAttribute('height') ?? 0)].every((by) => Math.abs(by) <= 1);
  const only = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined);
  const pairs: Pairs = new Map();
  for (const place of places) {
    const picture = only(pictures.filter((one) => isAs(place, one)));
    if (picture && only(places.filter((one) => isAs(one, picture)))) pairs.set(place, picture);
  }
  return pairs;
}

/** Matches by shape number, if only one picture has that number. */
function byNumber(places: readonly Place[], pictures: readonly RtfPicture[]): Pairs {
  const pairs: Pairs = new Map();
  const known = new Set<RtfPicture>();
  for (const place of places) {
    const found = place.shapes.map((shape) => pictures.filter((picture) => isOf(picture, shape))).find(({ length }) => length === 1)?.[0];
    if (!found || known.has(found)) continue;
    pairs.set(place, found);
    known.add(found);
  }
  return pairs;
}
