/** What to do with files that users mistake for documents to import, by their extension, in French. */
export const unreadFormats = {
  doc: "Ce document est à l'ancien format .doc, ou protégé par un mot de passe. Enregistrez-le au format .docx, sans mot de passe.",
  pdf: 'Un PDF ne peut pas être importé comme texte. Joignez-le comme document, ou importez le fichier .docx dont il vient.',
  rtf: 'Ce document est au format .rtf. Enregistrez-le au format .docx, puis réessayez.',
};
