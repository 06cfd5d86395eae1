const choices = [
  { value: 'success', label: 'Succès' },
  { value: 'failure', label: 'Échec' },
];

/** The outcomes of a simulated payment. @param form id of their form */
export function SimulationChoices({ form }: { form: string }) {
  return (
    <fieldset className="choices">
      <legend>Simulation (démonstration)</legend>
      {choices.map(({ value, label }) => (
        <label className="choice" key={value}>
          <input type="radio" name="simulationStatus" value={value} form={form} defaultChecked={value === 'success'} /> {label}
        </label>
      ))}
    </fieldset>
  );
}
