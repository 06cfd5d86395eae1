import type { Controls } from './control.ts';

const offline = 'src/modules/offline';
const texts = `${offline}/texts/texts.routes.test.ts`;
const devices = `${offline}/devices/devices.routes.test.ts`;
const entries = `${offline}/entries/entries.routes.test.ts`;

/** Prepas kept offline on a learner's devices. */
export const offlineControls: Controls = {
  'kept-texts-of-who-may-read': {
    file: `${offline}/texts/texts.service.ts`,
    from: 'if (versions?.access && versions.end)',
    to: 'if (versions?.end)',
    test: texts,
    title: 'only learners with access get texts; downloads per hour are limited',
  },
  'kept-texts-in-an-hour': {
    file: 'src/modules/offline/index.ts',
    from: 'points: downloadsPerHour',
    to: 'points: downloadsPerHour * 1_000',
    test: texts,
    title: 'only learners with access get texts; downloads per hour are limited',
  },
  'devices-of-a-prepa': {
    file: `${offline}/devices/device.service.ts`,
    from: 'if (others.length >= maxDevicesPerPrepa)',
    to: 'if (others.length >= maxDevicesPerPrepa * 10)',
    test: devices,
    title: 'when ten devices keep a prepa at once, three succeed, and the refusal names these three',
  },
  'devices-of-a-prepa-at-once': {
    file: `${offline}/devices/device.service.ts`,
    from: 'await lockLearner(tx, userId);',
    to: '',
    test: devices,
    title: 'when ten devices keep a prepa at once, three succeed, and the refusal names these three',
  },
  'device-secrets-hashed': {
    file: `${offline}/devices/device.service.ts`,
    from: "createHash('sha256').update(secret.toLowerCase()).digest('hex');",
    to: 'secret.toLowerCase() + String(createHash).slice(0, 0);',
    test: devices,
    title: 'a kept copy has a signed end date, which each contact renews',
  },
  'copies-end-with-sessions': {
    file: `${offline}/retention/offline.subscriptions.ts`,
    from: "events.on('sessions.ended', (tx, { sessions, ending }) => endDevices(tx, sessions, ending));",
    to: 'void endDevices;',
    test: devices,
    title: 'contact: how the session ended decides whether the device removes its copy',
  },
  'copies-of-one-account': {
    file: `${offline}/devices/copy-state.ts`,
    from: "if (learner !== null && learner !== device.userId) return remove('other-account');",
    to: '',
    test: devices,
    title: 'contact: reasons to remove a copy, with and without a session',
  },
  'own-kept-devices-alone': {
    file: `${offline}/devices/device.repository.ts`,
    from: 'set removed_at = ? where id = ? and user_id = ? and removed_at is null',
    to: 'set removed_at = ? where id = ? and (user_id = ? or true) and removed_at is null',
    test: devices,
    title: 'the profile lists the devices with their prepas, and removes a device by a plain form',
  },
  'own-kept-devices-named': {
    file: `${offline}/devices/device.repository.ts`,
    from: 'set nom = ? where id = ? and user_id = ? and removed_at is null',
    to: 'set nom = ? where id = ? and (user_id = ? or true) and removed_at is null',
    test: devices,
    title: 'equal devices are distinguished by last contact and by the name that the learner gives them',
  },
  'entries-once': {
    file: `${offline}/entries/entry.repository.ts`,
    from: 'from offline_entry k where k.user_id',
    to: 'from offline_entry k where false and k.user_id',
    test: entries,
    title: "a device's entries give the latest opening, the earliest finish, the last verdict and the number of practices",
  },
  'entries-within-paid-days': {
    file: 'src/modules/enrolment/access/enrolment.repository.ts',
    from: ' on w.at < e.date_expiration',
    to: ' on true',
    test: entries,
    title: 'an entry counts only if the learner had access at its time, even if access has ended since; future times become now',
  },
};
