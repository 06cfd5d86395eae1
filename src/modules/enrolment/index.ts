export { Enrolment } from './enrolment.entity.ts';
export { enrolment } from './enrolment.plugin.ts';
export { listForOperator } from './enrolment.repository.ts';
export { expireEnrolments, grantEnrolment } from './enrolment.service.ts';
export { subscribe } from './enrolment.subscriptions.ts';
export { EnrolmentExtension } from './enrolment-extension.entity.ts';
export { hasAccess } from './enrolment.repository.ts';
