import t from 'tap';
import { hashToken, isToken, newToken } from './token.ts';

t.test('a token cannot be guessed, nor derived from its hash', async (t) => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  t.equal(new Set(tokens).size, tokens.length);
  const bytes = tokens.map((token) => Buffer.from(token, 'base64url'));
  t.ok(bytes.every(({ length }) => length === 32));
  // Among 1,000 random draws, about 251 of the 256 byte values occur at each position.
  const seldom = Array.from({ length: 32 }, (_, place) => new Set(bytes.map((drawn) => drawn[place])).size).filter(
    (values) => values < 220,
  );
  t.same(seldom, [], 'every byte is drawn');
  for (const token of tokens.slice(0, 10)) {
    t.match(hashToken(token), /^[0-9a-f]{64}$/);
    t.notMatch(hashToken(token), token);
  }
});

t.test('a malformed token is not looked up', async (t) => {
  t.ok(isToken(newToken()));
  for (const value of [
    undefined,
    null,
    1,
    '',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}=`,
    `${'a'.repeat(42)}\0`,
    ['a'.repeat(43)],
  ])
    t.notOk(isToken(value), JSON.stringify(value));
});
