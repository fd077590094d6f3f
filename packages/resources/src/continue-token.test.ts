// Continue tokens: the bytes the reference makes, and its words for those it can't read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';

const encode = (json: string): string => Buffer.from(json).toString('base64url');

test('encodeContinueToken() gives compact JSON in base64url without padding', () => {
  const token = encodeContinueToken({ revision: 42n, start: '/default/a\0' });
  assert.equal(
    Buffer.from(token, 'base64url').toString(),
    '{"v":"meta.k8s.io/v1","rv":42,"start":"/default/a\\u0000"}',
  );
  assert.ok(!token.includes('='));
  assert.deepEqual(decodeContinueToken(token), { revision: 42n, start: '/default/a\0' });
});

test('decodeContinueToken() reads names in any case, with or without a leading slash', () => {
  const token = encode('{"V":"meta.k8s.io/v1","RV":-7,"Start":"a\\u0000","zz":[1]}');
  assert.deepEqual(decodeContinueToken(token), { revision: -7n, start: 'a\0' });
  assert.equal(decodeContinueToken(encode('{"v":"meta.k8s.io/v1","rv":-1,"start":"/"}')).start, '/');
});

const refused: Record<string, string> = {
  '  ': 'illegal base64 data at input byte 0',
  'ab.c': 'illegal base64 data at input byte 2',
  'a+b/': 'illegal base64 data at input byte 1',
  aGVsbG8: "invalid character 'h' looking for beginning of value",
  e30: 'server does not recognize this encoded version ',
  W10: 'json: cannot unmarshal array into Go value of type storage.continueToken',
  bnVsbA: 'server does not recognize this encoded version ',
  eyJ2IjoibWV0YS5rOHMu: 'unexpected end of JSON input',
  [encode('{"v":"meta.k8s.io/v1","rv":-1,"start":"a\\u0000"} {}')]:
    "invalid character '{' after top-level value",
  [encode('{"v":"v1","rv":-1,"start":"a"}')]: 'server does not recognize this encoded version v1',
  [encode('{"v":"meta.k8s.io/v1","rv":"1","start":"a"}')]:
    'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
  [encode('{"v":"meta.k8s.io/v1","rv":1.5,"start":"a"}')]:
    'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
  [encode('{"v":"meta.k8s.io/v1","start":"a"}')]:
    'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  [encode('{"v":"meta.k8s.io/v1","rv":3}')]: 'encoded start key empty (version meta.k8s.io/v1)',
  [encode('{"v":"meta.k8s.io/v1","rv":-1,"start":"../x\\u0000"}')]: '../x\0',
  [encode('{"v":"meta.k8s.io/v1","rv":-1,"start":"//a\\u0000"}')]: '//a\0',
  [encode('{"v":"meta.k8s.io/v1","rv":-1,"start":"a/"}')]: 'a/',
};

test('decodeContinueToken() refuses in the words of the reference', () => {
  for (const [token, why] of Object.entries(refused)) {
    const message = `invalid continue token: continue key is not valid: ${why}`;
    assert.throws(() => decodeContinueToken(token), { message, code: 400 }, token);
  }
});
