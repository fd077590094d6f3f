// Accept headers and what kube-apiserver gave for them, with everything producible and with only what can be written today.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@sluice/resources';
import { DEFAULT_GATES } from './gates.ts';
import {
  acceptsGzip,
  ENDPOINTS,
  type Endpoint,
  negotiate,
  negotiateError,
  type Producible,
  producible,
  streamMediaType,
} from './negotiation.ts';
import { parseQuery } from './query.ts';

const ALL: Producible = {
  json: ['object', 'document', 'watch', 'table', 'metadata', 'discovery'],
  yaml: ['object', 'document', 'table', 'metadata', 'discovery'],
  protobuf: ['object', 'document', 'watch', 'metadata', 'discovery'],
  cbor: [],
};
const WITH_CBOR: Producible = producible({ ...DEFAULT_GATES, CBORServingAndStorage: true });
const PB = 'application/vnd.kubernetes.protobuf';
const LAYER_1 = `406 406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, ${PB}`;
const LAYER_1_LIST = `${LAYER_1}, application/json;stream=watch, ${PB};stream=watch`;
const LAYER_2 = `406 only the following media types are accepted: application/json, application/yaml, ${PB}`;
const AGGREGATED = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test('negotiate() chooses for lists of built-in kinds what kube-apiserver chooses', () => {
  for (const [accept, expected] of [
    [undefined, 'json'],
    ['', 'json'],
    [' ', 'json'],
    ['application/yaml, application/json', 'yaml'],
    ['application/yaml;q=0.3, application/json;q=0.9', 'json'],
    ['application/json;q=0', 'json'],
    ['application/json;q=x, application/yaml;q=0.1', 'yaml'],
    ['application/json;q= 0.5,application/yaml;q=0.4', 'yaml'],
    ['application/yaml;q=1, application/json;q=5', 'json'],
    ['*/*, application/yaml;q=0.1', 'yaml'],
    ['application/yaml;q=0.1, */*;q=0.9', 'json'],
    ['application/yaml;q=0.5, *;q=0.8', 'json'],
    ['application/*, application/yaml;q=0.2', 'yaml'],
    ['json, , application, application/json/x, application/yaml', 'yaml'],
    ['application/json;stream=watch', 'json'],
    ['application/json;stream=', 'json'],
    ['application/json;foo=bar;profile=x', 'json'],
    ['application/json;a=b=', 'json'],
    ['application/json;export=1', 'json'],
    ['application/json;sv=v1', 'json'],
    ['application/json;as=', 'json'],
    ['*', LAYER_1_LIST],
    ['*/', LAYER_1_LIST],
    ['application/*, text/plain', LAYER_1_LIST],
    ['application/json/', LAYER_1_LIST],
    ['APPLICATION/JSON', LAYER_1_LIST],
    ['application/xml', LAYER_1_LIST],
    ['application/cbor', LAYER_1_LIST],
    ['application/json;sv=v2', LAYER_2],
    ['application/json;stream=other', LAYER_2],
    ['application/json;stream=watch;stream=x', LAYER_2],
    ['application/json;g=x', LAYER_2],
    ['application/json;v=v1', LAYER_2],
    ['application/json;as=Nope;v=v1;g=meta.k8s.io', LAYER_2],
    ['application/json;as=Nope;v=v1;g=meta.k8s.io,application/json', 'json'],
    ['application/json;as=Table;g=meta.k8s.io', LAYER_2],
    ['application/json;as=Table;v=v2;g=meta.k8s.io,application/json', 'json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'json Table/v1'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'json Table/v1beta1'],
    ['application/json;g=meta.k8s.io;v=v1;as=Table', 'json Table/v1'],
    [' application/json ; as = Table ; v=v1 ; g = meta.k8s.io ', 'json Table/v1'],
    ['application/json;as="Table";v=v1;g=meta.k8s.io,application/json', 'json'],
    [`${PB};as=Table;v=v1;g=meta.k8s.io,application/yaml`, 'yaml'],
    [
      `${PB};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json`,
      'protobuf PartialObjectMetadataList/v1',
    ],
    ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.example.test', LAYER_2],
    [`application/json;${AGGREGATED}`, LAYER_2],
  ] as const) {
    assert.equal(chosen(accept, ENDPOINTS.builtInList), expected, String(accept));
  }
});

test('negotiate() names fewer types where the path is no list', () => {
  assert.equal(chosen('text/html', ENDPOINTS.builtInObject), LAYER_1);
  assert.equal(chosen('text/html', ENDPOINTS.routedDocument), LAYER_1);
});

test('negotiate() has no router in front of custom resources, and offers their objects no Protobuf', () => {
  for (const [accept, expected] of [
    ['application/*', 'json'],
    ['*', 'json'],
    ['text/plain', LAYER_2],
    ['text/plain, application/json', 'json'],
    ['*/*, application/yaml;q=0.1', 'yaml'],
    [`${PB}, */*`, 'json'],
    [PB, LAYER_2],
    ['Application/Json', LAYER_2],
    ['application/cbor, application/json', 'json'],
    [`${PB};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`, 'protobuf PartialObjectMetadataList/v1'],
  ] as const) {
    assert.equal(chosen(accept, ENDPOINTS.custom), expected, accept);
  }
});

test('negotiate() gives the aggregated document to /api and /apis only', () => {
  for (const [accept, expected] of [
    [`application/json;${AGGREGATED},application/json`, 'json APIGroupDiscoveryList/v2'],
    [`application/json;${AGGREGATED};profile=nopeer`, 'json APIGroupDiscoveryList/v2'],
    ['application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io', 'json APIGroupDiscoveryList/v2'],
    [`application/json;${AGGREGATED.replace('v2', 'v2beta1')}`, LAYER_2],
    [`application/json;${AGGREGATED.replace('v2', 'v2beta1')},application/json`, 'json'],
    ['*/*', 'json'],
  ] as const) {
    assert.equal(chosen(accept, ENDPOINTS.discovery), expected, accept);
  }
  assert.equal(chosen(`application/json;${AGGREGATED},application/json`, ENDPOINTS.document), 'json');
});

test('negotiate() passes over what can not be written yet', () => {
  const objectsOnly: Producible = { ...ALL, yaml: ['object'] };
  assert.equal(chosen('application/yaml, */*', ENDPOINTS.builtInList, objectsOnly), 'yaml');
  assert.equal(chosen('application/yaml, */*', ENDPOINTS.document, objectsOnly), 'json');
  const noStream: Producible = { ...ALL, protobuf: ['object'] };
  assert.equal(chosen(`${PB},application/json`, ENDPOINTS.builtInList, noStream, true), 'json');
});

test('streamMediaType() refuses what has no stream, even when another clause had one', () => {
  const streamed = (accept: string): string =>
    told(() => streamMediaType(negotiate(wishes(accept), ENDPOINTS.builtInList, ALL, true), ALL));
  assert.equal(streamed('*/*'), 'application/json');
  assert.equal(streamed(`${PB}, application/json`), `${PB};stream=watch`);
  const refusal = `406 only the following media types are accepted: application/json;stream=watch, ${PB};stream=watch`;
  assert.equal(streamed('application/yaml'), refusal);
  assert.equal(streamed('application/yaml, application/json'), refusal);
});

test('negotiate() knows CBOR where its gate is on, and tells so', () => {
  const CBOR = 'application/cbor';
  for (const [accept, expected] of [
    [CBOR, 'cbor'],
    ['*/*', 'json'],
    [`${CBOR};stream=watch`, 'cbor'],
    [`${CBOR};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`, 'cbor PartialObjectMetadataList/v1'],
    [`${CBOR};as=Table;v=v1;g=meta.k8s.io`, `${LAYER_2}, ${CBOR}`],
    [`${CBOR};as=Table;v=v1;g=meta.k8s.io,application/json`, 'json'],
    ['application/cbor-seq', `${LAYER_2}, ${CBOR}`],
    [
      'text/html',
      `${LAYER_1}, ${CBOR}, application/json;stream=watch, ${PB};stream=watch, application/cbor-seq`,
    ],
  ] as const) {
    assert.equal(chosen(accept, ENDPOINTS.builtInList, WITH_CBOR), expected, accept);
  }
  assert.equal(chosen('text/html', ENDPOINTS.builtInObject, WITH_CBOR), `${LAYER_1}, ${CBOR}`);
  assert.equal(
    chosen(`${CBOR};${AGGREGATED}`, ENDPOINTS.discovery, WITH_CBOR),
    'cbor APIGroupDiscoveryList/v2',
  );
  assert.equal(chosen(CBOR, ENDPOINTS.builtInList, producible(DEFAULT_GATES)), LAYER_1_LIST);
  assert.equal(negotiateError(wishes(CBOR), WITH_CBOR)?.encoding, 'cbor');
  const streamed = (accept: string): string =>
    told(() => streamMediaType(negotiate(wishes(accept), ENDPOINTS.builtInList, WITH_CBOR, true), WITH_CBOR));
  assert.equal(streamed(CBOR), 'application/cbor-seq');
  assert.match(streamed('application/yaml'), /;stream=watch, application\/cbor-seq$/);
});

test('negotiate() indents when the clause, the query or the agent asks for it, in this order', () => {
  const pretty = (accept: string, query = '', userAgent = ''): boolean =>
    negotiate({ accept, userAgent, query: parseQuery(query) }, ENDPOINTS.builtInList, ALL).pretty;
  assert.equal(pretty('application/json;pretty=1'), true);
  assert.equal(pretty('application/json;pretty=true'), false);
  assert.equal(pretty('application/json;pretty=1;pretty=0'), false);
  assert.equal(pretty('*/*', 'pretty=1'), true);
  assert.equal(pretty('*/*', 'pretty=T'), true);
  assert.equal(pretty('*/*', 'pretty=yes', 'curl/8'), false);
  assert.equal(pretty('*/*', 'pretty=', 'curl/8'), true);
  assert.equal(pretty('*/*', 'notpretty=1'), false);
  assert.equal(pretty('*/*', 'pretty=0', 'Wget/1.21'), false);
  assert.equal(pretty('*/*', '', 'Wget/1.21'), true);
  assert.equal(pretty('*/*', '', 'Mozilla/5.0 (X11)'), true);
  assert.equal(pretty('*/*', '', 'Curl/8'), false);
  assert.equal(pretty('*/*', '', 'libcurl/8'), false);
  assert.equal(pretty('application/yaml', 'pretty=1'), false);
});

test('negotiateError() falls back to nothing when only conversions are asked for', () => {
  const encoding = (accept: string): string | undefined => negotiateError(wishes(accept), ALL)?.encoding;
  assert.equal(encoding('application/json;as=Table;v=v1;g=meta.k8s.io'), undefined);
  assert.equal(encoding('application/json;as=Table;v=v1;g=meta.k8s.io,application/json'), 'json');
  assert.equal(encoding('application/*, text/plain'), 'json');
  assert.equal(encoding('application/json;sv=v1'), undefined);
  assert.equal(encoding(PB), 'protobuf');
  assert.equal(encoding('text/html'), undefined);
  assert.equal(encoding(''), 'json');
});

test('acceptsGzip() wants exactly the token', () => {
  for (const header of ['gzip', 'deflate, , gzip,', ' gzip '])
    assert.equal(acceptsGzip(header), true, header);
  for (const header of [undefined, '', 'gzip;q=1.0', '*', 'GZIP', 'x-gzip', 'deflate']) {
    assert.equal(acceptsGzip(header), false, header);
  }
});

function wishes(accept: string | undefined): {
  accept: string | undefined;
  userAgent: undefined;
  query: ReturnType<typeof parseQuery>;
} {
  return { accept, userAgent: undefined, query: parseQuery('') };
}

function chosen(
  accept: string | undefined,
  endpoint: Endpoint,
  producible: Producible = ALL,
  isWatch = false,
): string {
  return told(() => {
    const { encoding, as } = negotiate(wishes(accept), endpoint, producible, isWatch);
    return as === null ? encoding : `${encoding} ${as.kind}/${as.version}`;
  });
}

function told(ask: () => string): string {
  try {
    return ask();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return `${error.code} ${error.message}`;
  }
}
