/** `translated`: while a page is hydrated whose text is no longer the server's. React keeps the text that it finds then, where it would render all anew. */
export const hydration = { translated: false };
