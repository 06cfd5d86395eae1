import { FieldFrame, fieldAttributes } from '../ui/FieldFrame.tsx';

interface RoleFieldProps {
  error: string | undefined;
  focused: boolean;
  /** The previous choice; any other value selects Admin. */
  role: string;
}

export function RoleField({ error, focused, role }: RoleFieldProps) {
  const hint = 'Le rôle de vos clés. Super Admin donne des privilèges supplémentaires.';
  const texts = { id: 'admin-role', label: 'Rôle', hint, error };
  const control = (
    <select
      className="input"
      name="role"
      required
      // biome-ignore lint/a11y/noAutofocus: a refused form gets the focus on its first invalid field
      autoFocus={focused}
      defaultValue={role === 'super_admin' ? role : 'admin'}
      {...fieldAttributes(texts)}
    >
      <option value="admin">Admin</option>
      <option value="super_admin">Super Admin</option>
    </select>
  );
  return <FieldFrame {...texts} control={control} />;
}
