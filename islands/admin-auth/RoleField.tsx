import { Icon } from '../ui/Icon.tsx';

interface RoleFieldProps {
  error: string | undefined;
  focused: boolean;
  /** As chosen before; anything that is no role chooses Admin. */
  role: string;
}

export function RoleField({ error, focused, role }: RoleFieldProps) {
  return (
    <div className="field">
      <label htmlFor="admin-role">Rôle</label>
      <p className="field__hint" id="admin-role-hint">
        Le rôle de vos clés. Super Admin donne des privilèges supplémentaires.
      </p>
      <select
        className="input"
        id="admin-role"
        name="role"
        required
        // biome-ignore lint/a11y/noAutofocus: a page that comes back begins at its first fault
        autoFocus={focused}
        defaultValue={role === 'super_admin' ? role : 'admin'}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'admin-role-hint admin-role-error' : 'admin-role-hint'}
      >
        <option value="admin">Admin</option>
        <option value="super_admin">Super Admin</option>
      </select>
      {error && (
        <p className="field__error" id="admin-role-error">
          <Icon name="error" />
          {error}
        </p>
      )}
    </div>
  );
}
