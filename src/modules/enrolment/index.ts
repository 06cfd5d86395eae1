export { Enrolment } from './enrolment.entity.ts';
export { enrolment } from './enrolment.plugin.ts';
export { mayStudy, type Viewer, viewerOf } from './enrolment.policy.ts';
export { isActive, refusalReason } from './enrolment.presenter.ts';
export { accessCondition, countActive, findEnrolment, hasAccess, listForOperator } from './enrolment.repository.ts';
export { expireEnrolments, grantEnrolment } from './enrolment.service.ts';
export { subscribe } from './enrolment.subscriptions.ts';
export { EnrolmentExtension } from './enrolment-extension.entity.ts';
