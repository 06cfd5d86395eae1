import t from 'tap';
import { readRefusal } from './refusal.ts';

t.test("the reason in a provider's text about a failed payment", async (t) => {
  for (const [text, refusal] of [
    ['NOT_ENOUGH_FUNDS', 'funds'],
    ['Insufficient balance', 'funds'],
    ['Solde insuffisant', 'funds'],
    ['INCORRECT_PIN', 'code'],
    ['Code secret : mot de passe erroné', 'code'],
    ['Wrong code', 'code'],
    ['PAYER_LIMIT_REACHED', 'limit'],
    ['Plafond dépassé', 'limit'],
    ['Amount exceeds the daily limit', 'limit'],
    ['APPROVAL_REJECTED', 'unapproved'],
    ['COULD_NOT_PERFORM_TRANSACTION', 'unapproved'],
    ['Time limit exceeded', 'unapproved'],
    ['Délai dépassé', 'unapproved'],
    ['Cancelled by the user', 'unapproved'],
    ['Declined', null],
    ['Declined by issuer', null],
    ['Rejected by bank', null],
    ['Card expired', null],
    ['Error code 05', null],
    ['INTERNAL_PROCESSING_ERROR', null],
    ['', null],
    [undefined, null],
  ] as const)
    t.equal(readRefusal(text), refusal, String(text));
});
