import { useEffect, useState } from 'react';
import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { ReadFailure } from '../../ui/ReadFailure.tsx';
import { findDisciplines, findPrepas, mostPrepas, type Place } from './move-calls.ts';

interface DestinationFieldsProps {
  /** The discipline that contents leave. */
  excluded: number;
  onChoose: (discipline: Place | null) => void;
}

/** Wait after the last key before the prepas are searched, in ms. */
const typingMs = 300;

/** Chooses a prepa, with a search by name where there are many, and one of its disciplines. */
export function DestinationFields({ excluded, onChoose }: DestinationFieldsProps) {
  const [sought, setSought] = useState('');
  const [prepas, setPrepas] = useState<readonly Place[] | 'failed'>([]);
  const [prepa, setPrepa] = useState('');
  const [disciplines, setDisciplines] = useState<readonly Place[] | 'failed'>([]);
  const [discipline, setDiscipline] = useState('');
  const [asked, setAsked] = useState(0);
  const [isLong, setIsLong] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the retries
  useEffect(() => {
    let current = true;
    const timer = setTimeout(
      async () => {
        const found = await findPrepas(sought.trim());
        if (!current) return;
        setPrepas(found ?? 'failed');
        if (found && found.length >= mostPrepas) setIsLong(true);
      },
      sought === '' ? 0 : typingMs,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [sought, asked]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the retries
  useEffect(() => {
    let current = true;
    setDisciplines([]);
    choose('', []);
    if (prepa !== '')
      findDisciplines(Number(prepa)).then((found) => {
        if (!current) return;
        const others = found?.filter(({ id }) => id !== excluded) ?? 'failed';
        setDisciplines(others);
        if (others !== 'failed' && others.length === 1) choose(String(others[0]?.id), others);
      });
    return () => {
      current = false;
    };
  }, [prepa, asked]);

  function choose(id: string, among: readonly Place[]): void {
    setDiscipline(id);
    onChoose(among.find((one) => String(one.id) === id) ?? null);
  }

  if (prepas === 'failed' || disciplines === 'failed')
    return (
      <ReadFailure
        message="Les préparations n'ont pas pu être lues"
        onRetry={() => {
          if (prepas === 'failed') setPrepas([]);
          if (disciplines === 'failed') setDisciplines([]);
          setAsked(asked + 1);
        }}
      />
    );
  return (
    <>
      {isLong && (
        <FieldFrame
          id="move-search"
          label="Chercher une préparation"
          control={
            <input
              className="input"
              id="move-search"
              type="search"
              value={sought}
              onChange={({ target }) => {
                setSought(target.value);
                setPrepa('');
              }}
            />
          }
        />
      )}
      <FieldFrame
        id="move-prepa"
        label="Préparation"
        control={
          <select className="input" id="move-prepa" value={prepa} onChange={({ target }) => setPrepa(target.value)}>
            <option value="">Choisir</option>
            {prepas.map(({ id, nom }) => (
              <option key={id} value={id}>
                {nom}
              </option>
            ))}
          </select>
        }
      />
      <FieldFrame
        id="move-discipline"
        label="Discipline"
        control={
          <select
            className="input"
            id="move-discipline"
            value={discipline}
            disabled={disciplines.length === 0}
            onChange={({ target }) => choose(target.value, disciplines)}
          >
            <option value="">{prepa !== '' && disciplines.length === 0 ? 'Aucune autre discipline' : 'Choisir'}</option>
            {disciplines.map(({ id, nom }) => (
              <option key={id} value={id}>
                {nom}
              </option>
            ))}
          </select>
        }
      />
    </>
  );
}
