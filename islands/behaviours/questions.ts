/** Answers questions without a page load. Without scripts, their forms lead to a page of their own. */
export function startQuestions(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const { submitter } = event;
    if (!form.classList.contains('question') || 'plain' in form.dataset) return;
    event.preventDefault();
    import('../questions/answer.ts').then(
      ({ answer }) => answer(form, submitter),
      () => {
        // The script is not reachable: the form is sent as without scripts.
        form.dataset.plain = '';
        form.requestSubmit(submitter);
      },
    );
  });
}
