import t from 'tap';
import { judge } from './copy-state.ts';

const owner = 'a';
const device = { userId: owner, removed: false, ended: false, copies: [7] };
const prepa = { id: 7, isThere: true, access: true };

t.test('the decision about a copy: every reason, and their precedence', async (t) => {
  const cases: [string, Parameters<typeof judge>, string][] = [
    ['kept', [device, owner, prepa], 'keep'],
    ['nobody signed in', [device, null, prepa], 'sign-in'],
    ['unknown device', [null, owner, prepa], 'remove device-removed'],
    ['removed on the profile', [{ ...device, removed: true }, owner, prepa], 'remove device-removed'],
    ['removed, and another account', [{ ...device, removed: true }, 'b', prepa], 'remove device-removed'],
    ['another account', [device, 'b', prepa], 'remove other-account'],
    ['its session was ended', [{ ...device, ended: true }, null, prepa], 'remove session-ended'],
    ['signed in again after that', [{ ...device, ended: true }, owner, prepa], 'keep'],
    ['the prepa is gone', [device, owner, { ...prepa, isThere: false }], 'remove prepa-gone'],
    ['it does not keep this one', [{ ...device, copies: [] }, owner, prepa], 'remove device-removed'],
    ['the access has ended', [device, owner, { ...prepa, access: false }], 'remove ended'],
    ['the same without a session', [device, null, { ...prepa, access: false }], 'remove ended'],
  ];
  for (const [name, given, expected] of cases) {
    const { state, reason } = judge(...given);
    t.equal([state, ...(reason ? [reason] : [])].join(' '), expected, name);
  }
});
