import { Discipline, Prepa } from './modules/catalogue/index.ts';
import { ContentImage, Item, ItemDocument, ItemImage, ItemReading, ItemVersion, Practice } from './modules/content/index.ts';
import { Enrolment, EnrolmentExtension } from './modules/enrolment/index.ts';
import {
  AdministrationKeys,
  Administrator,
  AdministratorSession,
  AuditEntry,
  KnownDevice,
  PasswordReset,
  Session,
  User,
} from './modules/identity/index.ts';
import { Notification } from './modules/notification/index.ts';
import { Payment, PaymentEvent, PaymentNotification, ReconciliationPass } from './modules/payment/index.ts';

/** Every entity, for the ORM and for the comparison of migrations. */
export const entities = [
  User,
  Session,
  PasswordReset,
  KnownDevice,
  Administrator,
  AdministratorSession,
  AdministrationKeys,
  AuditEntry,
  Prepa,
  Discipline,
  Payment,
  PaymentEvent,
  PaymentNotification,
  ReconciliationPass,
  Enrolment,
  EnrolmentExtension,
  Item,
  ItemVersion,
  ContentImage,
  ItemImage,
  ItemDocument,
  ItemReading,
  Practice,
  Notification,
];
