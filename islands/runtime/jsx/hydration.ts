/** `translated` is true while a translated page is hydrated: React then keeps the translated text instead of rendering everything again. */
export const hydration = { translated: false };
