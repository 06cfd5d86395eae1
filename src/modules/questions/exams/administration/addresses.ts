/** Addresses of the administrators' pages of mock exams. */
export const basePath = '/admin/concours-blancs';
export const examHref = (id: number): string => `${basePath}/${id}`;
