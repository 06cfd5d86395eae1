import t from 'tap';
import { badgeText } from './badge.ts';

t.test("the badge ends at '99+'", async (t) => {
  t.equal(badgeText(1), '1');
  t.equal(badgeText(99), '99');
  t.equal(badgeText(100), '99+');
});
