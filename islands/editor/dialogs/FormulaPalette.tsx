import { useState } from 'react';
import { templateGroups } from '../formulas/templates.ts';

/** Symbols and structures by subject. Each button inserts its LaTeX at the cursor. */
export function FormulaPalette({ onChoose }: { onChoose: (latex: string) => void }) {
  const [shown, setShown] = useState(0);
  return (
    <div className="editor__palette">
      <div className="field">
        <label htmlFor="editor-palette">Symboles et structures</label>
        <select className="input" id="editor-palette" value={shown} onChange={({ target }) => setShown(Number(target.value))}>
          {templateGroups.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="editor__symbols">
        {templateGroups[shown]?.templates.map(({ shown: sign, label, latex }) => (
          // mousedown is prevented, so that the field keeps its focus and selection.
          <button
            key={latex}
            type="button"
            className="editor__symbol"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(latex)}
          >
            <span aria-hidden="true">{sign}</span>
            <span className="visually-hidden">{label}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
