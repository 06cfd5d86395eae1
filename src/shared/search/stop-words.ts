/** French words that occur in every text (PostgreSQL's `french` list, folded), elided forms before an apostrophe, and 'no' for 'nº'. */
export const stopWords: ReadonlySet<string> = new Set(
  `a as ai aie aient aies ait au aura aurai auraient aurais aurait auras aurez auriez aurions aurons auront aux avaient avais avait avec avez aviez avions avons
ayant ayante ayantes ayants ayez ayons c ce ces d dans de des du elle en es est et etaient etais etait etant etante etantes etants etes etiez etions eu eue eues
eumes eurent eus eusse eussent eusses eussiez eussions eut eutes eux fumes furent fus fusse fussent fusses fussiez fussions fut futes il j je jusqu l la le leur
lorsqu lui m ma mais me meme mes moi mon n ne no nos notre nous on ont ou par pas pour puisqu qu que qui quoiqu s sa se sera serai seraient serais serait seras serez
seriez serions serons seront ses soient sois soit sommes son sont soyez soyons suis sur t ta te tes toi ton tu un une vos votre vous y`.split(
    /\s+/,
  ),
);
