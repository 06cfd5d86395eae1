import * as z from 'zod/mini';
import { faultOfPoints, parsePoints } from '../study/points.ts';

/** Returns the schema of the points of a scale's parts, by their index: typed texts in, numbers out. */
export const pointsSchema = (parts: readonly { max: number }[]) =>
  z.object(
    Object.fromEntries(
      parts.map(({ max }, index) => [
        index,
        z.pipe(
          z.string().check((payload) => {
            const message = faultOfPoints(payload.value, max);
            if (message) payload.issues.push({ code: 'custom', message, input: payload.value });
          }),
          z.transform((typed: string) => parsePoints(typed) ?? 0),
        ),
      ]),
    ),
  );
