import type { ZodMiniType } from 'zod/mini';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import type { Upload } from '../../../platform/files/uploads.ts';
import { type FieldError, parseForm } from '../../../shared/forms/field-errors.ts';
import { imageFault, type PreparedCover, prepareCover } from '../covers/cover-images.ts';

interface Extra {
  imageRequired?: boolean;
  /** Faults of fields that are not part of the schema. */
  more?: FieldError[];
}

/**
 * Validates the fields and the image, and reports the faults of both at once.
 * @throws AppError 400 with `errors` and `imageError`
 */
export async function checkForm<Data>(
  schema: ZodMiniType<Data>,
  { fields, image }: Upload,
  { imageRequired = false, more = [] }: Extra = {},
): Promise<{ data: Data; cover: PreparedCover | null }> {
  const { data, errors = [] } = parseForm(schema, fields);
  const faults = [...errors, ...more];
  // The re-encoded image, or its fault. Nothing is stored yet.
  const judged = image ? await prepareCover(image).catch(imageFault) : imageRequired ? "L'image est obligatoire" : null;
  const imageError = typeof judged === 'string' ? judged : undefined;
  if (faults.length > 0 || data === undefined || imageError !== undefined) {
    const message = faults.length > 0 ? 'Certaines informations sont à corriger.' : (imageError ?? '');
    throw new AppError('FORM.INVALID', 400, message, { ...(faults.length > 0 ? { errors: faults } : {}), imageError });
  }
  return { data, cover: typeof judged === 'string' ? null : judged };
}

/** Returns the version on which an edit is based; null when the form omits it. @throws AppError 400 */
export function versionOf({ fields }: Upload): number | null {
  if (fields.version === undefined || fields.version === '') return null;
  if (!/^[1-9]\d{0,8}$/.test(fields.version)) throw invalidRequest([{ field: 'version', message: 'Version invalide' }]);
  return Number(fields.version);
}
