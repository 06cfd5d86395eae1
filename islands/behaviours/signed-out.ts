/** Left by a sign-out: whose (src/modules/identity/sessions/sign-out.ts). */
const mark = /(?:^|; )((?:__Host-)?sortie)=(\w+)/;

/** Takes away what this browser has kept of whoever has just signed out: on the page after it, where nothing of theirs is open any more. */
export async function startSignedOut(): Promise<void> {
  const [, name, who] = mark.exec(document.cookie) ?? [];
  if (!name) return;
  try {
    if (who === 'administrateur') await (await import('../admin-content/drafts/draft-store.ts')).forgetDrafts();
    else forgetLearner();
    const secure = location.protocol === 'https:' ? '; secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: older browsers have no other way.
    document.cookie = `${name}=; path=/; max-age=0${secure}`;
  } catch {
    // The next page tries again.
  }
}

/** The number on the bell; marks that have not been said yet, and times of practice, kept with the tab. A browser that keeps nothing has nothing. */
function forgetLearner(): void {
  localStorage.removeItem('unread');
  sessionStorage.clear();
}
