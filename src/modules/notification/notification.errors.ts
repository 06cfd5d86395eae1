import { notFound } from '../../platform/errors.ts';

export const notificationNotFound = () => notFound("Cette notification n'existe pas ou n'existe plus.");
