/** The cookie set by a sign-out, with the kind of account (src/modules/identity/sessions/sign-out.ts). */
const mark = /(?:^|; )((?:__Host-)?sortie)=(\w+)/;

/** Deletes the data that this browser has stored for the account that has signed out. Runs on the next page, where none of it is in use. */
export async function startSignedOut(): Promise<void> {
  const [, name, who] = mark.exec(document.cookie) ?? [];
  if (!name) return;
  try {
    if (who === 'administrateur') await (await import('../admin-content/drafts/draft-store.ts')).forgetDrafts();
    else await forgetLearner();
    const secure = location.protocol === 'https:' ? '; secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: older browsers lack the Cookie Store API.
    document.cookie = `${name}=; path=/; max-age=0${secure}`;
  } catch {
    // The next page tries again.
  }
}

/** Deletes mock exams, the unread count, unsent marks and practice times. Throws if the browser has no storage. */
async function forgetLearner(): Promise<void> {
  await (await import('../exams/forget-exams.ts')).forgetExams();
  localStorage.removeItem('unread');
  sessionStorage.clear();
}
