import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import { AccountFields } from '../forms/AccountFields.tsx';
import type { Typed } from '../forms/form-fields.ts';
import { SignInFields } from '../forms/SignInFields.tsx';
import { leaveFor, useForm } from '../forms/use-form.ts';
import { post } from '../runtime/post.ts';
import { Alert } from '../ui/Alert.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { type AdminAuthBody, faultsOf, readAnswer } from './form-rules.ts';
import { RoleField } from './RoleField.tsx';
import { type AdminAuthView, views } from './view.ts';

interface AdminAuthProps {
  view: AdminAuthView;
  /** Local path to open after the sign-in, or null for the prepas screen. */
  suite: string | null;
  /** Values of a submitted form that was refused; never passwords or keys. */
  values: Typed;
  errors: FieldError[];
  message: string | null;
}

/** The administrators' sign-in or registration. A registration starts no session: it leads to the sign-in. */
export default function AdminAuth({ view, suite, values, errors, message }: AdminAuthProps) {
  const { action, fields, button, busy } = views[view];
  const { bind, state, first, typed } = useForm({
    fields,
    errors,
    message,
    faultsOf: (values) => faultsOf(view, values),
    send: async (values) => readAnswer(view, await post<AdminAuthBody>(action, values), navigator.onLine),
    // The next page shows the success toast.
    accepted: (_typed, to) => {
      if (to !== undefined) leaveFor(suite === null ? to : `${to}?suite=${encodeURIComponent(suite)}`);
      else leaveFor(view === 'connexion' ? (suite ?? '/admin/dashboard') : '/admin/connexion');
    },
  });

  const form = { prefix: 'admin', errors: state.errors, first };

  return (
    <form className="auth__form form" method="post" action={action} noValidate {...bind}>
      {state.notice && <Alert notice={state.notice} role="alert" />}
      {view === 'connexion' ? (
        <>
          <input type="hidden" name="suite" value={suite ?? ''} />
          <SignInFields {...form} email={values.email ?? ''} />
        </>
      ) : (
        <>
          {/* The keys come first: without valid keys, the other fields are of no use. */}
          {[1, 2].map((number) => (
            <PasswordField
              key={number}
              id={`admin-key-${number}`}
              label={`Clé d'administration ${number}`}
              error={state.errors[`adminKey${number}`]}
              input={{ name: `adminKey${number}`, autoFocus: first === `adminKey${number}`, autoComplete: 'off' }}
            />
          ))}
          <AccountFields
            {...form}
            values={values}
            password={typed.password ?? ''}
            email={typed.email ?? values.email ?? ''}
            allowedDomains={null}
          />
          <RoleField error={state.errors.role} focused={first === 'role'} role={values.role ?? ''} />
        </>
      )}
      <BusyButton className="button button--block" label={button} busyLabel={busy} busy={state.busy} />
    </form>
  );
}
