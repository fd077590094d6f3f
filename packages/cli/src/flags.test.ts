// Flags: both spellings of a value, defaults, and what is said of each mistake.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_GATES, DEFAULT_LIMITS, GATES } from '@sluice/server';
import { encodedCacheBudget } from './encoded-cache-budget.ts';
import { FlagError } from './flags.ts';
import { readServeFlags, type ServeFlags, serveUsage } from './serve-flags.ts';

test('readServeFlags() keeps everything below the data directory by default', () => {
  assert.deepEqual(read(), {
    host: '127.0.0.1',
    port: 6443,
    storeDirectory: 'sluice-data/store',
    certificateDirectory: 'sluice-data/pki',
    kubeconfig: 'sluice-data/kubeconfig',
    tokenFile: undefined,
    pidFile: undefined,
    encodedCacheBytes: encodedCacheBudget(),
    compactionIntervalMs: 300_000,
    limits: DEFAULT_LIMITS,
    gates: DEFAULT_GATES,
  });
});

test('readServeFlags() keeps nothing in memory but what a flag asks for', () => {
  const flags = read('--in-memory', '--kubeconfig-out=/x/config');
  assert.deepEqual(
    [flags.storeDirectory, flags.certificateDirectory, flags.kubeconfig],
    [undefined, undefined, '/x/config'],
  );
  assert.equal(read('--in-memory', '--cert-dir', '/pki').certificateDirectory, '/pki');
  assert.equal(read('--in-memory=false', '--data-dir=/d').storeDirectory, '/d/store');
});

test('readServeFlags() takes a value after a space or an equals sign, and the last of several', () => {
  assert.equal(read('--secure-port', '1', '--secure-port=2').port, 2);
  assert.equal(read('--bind-address=::1').host, '::1');
  assert.equal(read('--data-dir', 'a=b').storeDirectory, 'a=b/store');
});

test('readServeFlags() adds up the feature gates of several flags', () => {
  assert.deepEqual(read().gates, DEFAULT_GATES);
  const flags = ['--feature-gates=CBORServingAndStorage=true,StreamingCollectionEncodingToJSON=False'];
  flags.push(
    '--feature-gates',
    'StreamingCollectionEncodingToJSON=1,StreamingCollectionEncodingToProtobuf=0',
  );
  assert.deepEqual(read(...flags).gates, {
    CBORServingAndStorage: true,
    StreamingCollectionEncodingToJSON: true,
    StreamingCollectionEncodingToProtobuf: false,
  });
  assert.deepEqual(read('--feature-gates=').gates, DEFAULT_GATES);
});

test('serveUsage() tells every gate with what it is by default', () => {
  for (const [name, { initial, help }] of Object.entries(GATES)) {
    assert.ok(serveUsage().includes(`${name}=${initial}`), name);
    assert.ok(serveUsage().includes(help), name);
  }
});

test('readServeFlags() reads sizes with and without a unit', () => {
  for (const [text, bytes] of [
    ['0', 0],
    ['1048576', 2 ** 20],
    ['512Ki', 2 ** 19],
    ['64Mi', 2 ** 26],
    ['1Gi', 2 ** 30],
  ] as const) {
    assert.equal(read('--encoded-cache-bytes', text).encodedCacheBytes, bytes, text);
  }
});

test('readServeFlags() reads durations as Go writes them', () => {
  for (const [text, milliseconds] of [
    ['0', 0],
    ['0s', 0],
    ['1s', 1000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
  ] as const) {
    assert.equal(read('--etcd-compaction-interval', text).compactionIntervalMs, milliseconds, text);
  }
});

test('readServeFlags() says what is wrong with a flag', () => {
  for (const [args, message] of [
    [['--secure-prot=1'], 'unknown flag --secure-prot; did you mean --secure-port?'],
    [['--kubeconfig', 'x'], 'unknown flag --kubeconfig; did you mean --kubeconfig-out?'],
    [['--etcd-cafile=x'], 'unknown flag --etcd-cafile'],
    [['--__proto__=x'], 'unknown flag --__proto__'],
    [['serve'], 'unexpected argument serve'],
    [['-v'], 'unexpected argument -v'],
    [['--secure-port'], '--secure-port needs a value: PORT'],
    [['--secure-port', 'x'], '--secure-port x: must be a port, 0 to 65535'],
    [['--secure-port=65536'], '--secure-port 65536: must be a port, 0 to 65535'],
    [['--secure-port='], '--secure-port : must be a port, 0 to 65535'],
    [['--data-dir='], '--data-dir : must not be empty'],
    [
      ['--feature-gates=Nope=true'],
      '--feature-gates Nope=true: unrecognized feature gate Nope; there are CBORServingAndStorage, StreamingCollectionEncodingToJSON, StreamingCollectionEncodingToProtobuf',
    ],
    [
      ['--feature-gates=CBORServingAndStorage'],
      '--feature-gates CBORServingAndStorage: missing bool value for CBORServingAndStorage',
    ],
    [
      ['--feature-gates=CBORServingAndStorage=yes'],
      '--feature-gates CBORServingAndStorage=yes: invalid value of CBORServingAndStorage=yes: must be true or false',
    ],
    [
      ['--feature-gates=__proto__=true'],
      '--feature-gates __proto__=true: unrecognized feature gate __proto__; there are CBORServingAndStorage, StreamingCollectionEncodingToJSON, StreamingCollectionEncodingToProtobuf',
    ],
    [['--in-memory=yes'], '--in-memory yes: must be true or false'],
    [
      ['--encoded-cache-bytes=64MB'],
      '--encoded-cache-bytes 64MB: must be a number of bytes, such as 1048576, 512Ki, 64Mi or 1Gi',
    ],
    [['--etcd-compaction-interval=5'], '--etcd-compaction-interval 5: time: missing unit in duration "5"'],
    [['--etcd-compaction-interval=-1s'], '--etcd-compaction-interval -1s: must not be negative'],
  ] as const) {
    assert.throws(() => readServeFlags(args), { name: 'FlagError', message }, message);
  }
  assert.ok(new FlagError('x') instanceof Error);
});

test('serveUsage() names every flag', () => {
  assert.equal(readServeFlags(['--help']), 'help');
  assert.equal(readServeFlags(['--version']), 'version');
  for (const flag of ['--secure-port PORT', '--in-memory ', '--token-auth-file FILE'])
    assert.ok(serveUsage().includes(flag), flag);
});

function read(...args: string[]): ServeFlags {
  const flags = readServeFlags(args);
  assert.ok(typeof flags === 'object');
  return flags;
}
