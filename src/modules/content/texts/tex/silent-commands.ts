/** Commands of layout, with the number of arguments that are dropped with them. */
export const SILENT_COMMANDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0:
      'noindent indent newpage clearpage cleardoublepage pagebreak nopagebreak hfill hfil vfill vfil hss smallskip medskip bigskip ' +
      'tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge rm sf tt upshape mdseries normalfont rmfamily sffamily ' +
      'raggedbottom flushbottom sloppy fussy protect relax leavevmode null strut frenchspacing nonfrenchspacing tableofcontents ' +
      'listoffigures listoftables maketitle appendix onecolumn twocolumn begingroup endgroup bgroup egroup unskip ignorespaces ' +
      'allowbreak nobreak goodbreak filbreak boldmath unboldmath selectfont hline toprule midrule bottomrule endhead endfirsthead ' +
      'endfoot endlastfoot pause printindex makeindex justifying columnbreak mainmatter frontmatter backmatter ' +
      'FrenchFootnotes StandardLayout displaystyle textstyle nolinebreak makeatletter makeatother ' +
      'normalcolor singlespacing onehalfspacing doublespacing printanswers noprintanswers samepage lastskip global long medbreak ' +
      'bigbreak smallbreak eject fill stretch xspace qedhere and',
    1:
      'input include subfile vspace hspace vphantom hphantom phantom index pagestyle thispagestyle usepackage RequirePackage selectlanguage hypersetup ' +
      'geometry lstset graphicspath usetikzlibrary tikzset pagenumbering bibliographystyle linespread setlist newcounter ' +
      'newlength newsavebox enlargethispage addvspace mdfsetup tcbset sisetup pgfplotsset usetheme usecolortheme captionsetup ' +
      'shorthandoff shorthandon everymath hyphenation definecolorset NoAutoSpaceBeforeFDP needspace Needspace setdefaultlanguage ' +
      'setmainfont setstretch nocite glsadd theoremstyle pointname frenchbsetup frenchsetup ifthispageodd',
    2: 'setlength addtolength fontsize numberwithin settowidth setbeamertemplate setbeamercolor rule colorlet',
    3: 'definecolor addcontentsline titlespacing',
  }).flatMap(([count, names]) => names.split(' ').map((name): [string, number] => [name, Number(count)])),
);
