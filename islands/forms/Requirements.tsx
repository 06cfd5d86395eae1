import { passwordRequirements } from './password-requirements.ts';

export function Requirements({ id, password }: { id: string; password: string }) {
  return (
    <ul className="requirements" id={id} aria-label="Le mot de passe doit contenir">
      {passwordRequirements(password).map(({ label, met }) => (
        <li key={label} data-met={met || undefined}>
          {label}
          {met && <span className="visually-hidden"> : respecté</span>}
        </li>
      ))}
    </ul>
  );
}
