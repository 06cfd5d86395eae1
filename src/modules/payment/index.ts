export { Payment } from './payment.entity.ts';
export { PaymentEvent } from './payment-event.entity.ts';
export { PaymentNotification } from './payment-notification.entity.ts';
