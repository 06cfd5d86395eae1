/** Returns whether a picture's address is on another site: such a picture is neither stored here nor available offline. */
export const isRemoteImage = (src: unknown): src is string => typeof src === 'string' && /^https?:/i.test(src);

export const remoteImagesRemark = (count: number): string =>
  count === 1
    ? "Une image reste sur un autre site : elle manquera hors ligne et peut y disparaître. Mieux vaut la télécharger, puis l'ajouter depuis cet appareil."
    : `${count} images restent sur d'autres sites : elles manqueront hors ligne et peuvent y disparaître. Mieux vaut les télécharger, puis les ajouter depuis cet appareil.`;
