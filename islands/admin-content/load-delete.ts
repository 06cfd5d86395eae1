/** For `Late`: deleting is rare, and its dialog need not come with the screen. */
export const loadDelete = () => import('../admin-shared/DeleteDialog.tsx').then(({ DeleteDialog }) => ({ default: DeleteDialog }));
