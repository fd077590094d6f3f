// The options of lists, watches and collection deletes: read, completed and checked in kube-apiserver's order.
import {
  badRequest,
  checkFieldLabels,
  type FieldError,
  type FieldSelector,
  fieldSelectorSteps,
  forbiddenValue,
  goQuote,
  invalid,
  type LabelSelector,
  labelSelectorSteps,
  parseFieldSelector,
  type Steps,
  unsupportedValue,
} from '@sluice/resources';
import type { Query, ResourceTarget } from './api.ts';
import { openSlices } from './list/slices.ts';
import { isTrue } from './request-info.ts';

export type ListOptions = {
  labelSelector: LabelSelector;
  /** Of fields the kind can be selected by, old names replaced. */
  fieldSelector: FieldSelector;
  /** As spelled: whether it is a number is asked where it is used. */
  resourceVersion: string;
  resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** 0: none. */
  limit: number;
  continue: string;
  allowWatchBookmarks: boolean;
  sendInitialEvents: boolean | undefined;
  /** 0: unset; a watch with a negative one ends at once. */
  timeoutSeconds: number;
};

/**
 * @throws ApiError 400 for what can't be read, 422 for what doesn't go together, 400 for fields that can't be selected:
 * of several mistakes the first in this order is told.
 */
export async function readListOptions(query: Query, target: ResourceTarget): Promise<ListOptions> {
  const isWatch = target.verb === 'watch';
  const decoded = await decode(query);
  const options = isWatch ? completedForWatch(decoded) : decoded;
  const errors = isWatch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  const fieldSelector = checkFieldLabels(target.kind, options.fieldSelector);
  const { resourceVersionMatch } = options;
  return {
    ...options,
    resourceVersionMatch: resourceVersionMatch as ListOptions['resourceVersionMatch'],
    fieldSelector: target.name === '' ? fieldSelector : narrowedTo(target.name, fieldSelector),
  };
}

/** Before it is known that the match is one of the three. */
type Decoded = Omit<ListOptions, 'resourceVersionMatch'> & { resourceVersionMatch: string };

/** Integers first, then selectors. Empty text is a missing integer's opposite: it can't be read. */
async function decode(query: Query): Promise<Decoded> {
  const timeoutSeconds = integer(query.first('timeoutSeconds'));
  const limit = integer(query.first('limit'));
  return {
    timeoutSeconds,
    limit: Math.max(limit, 0),
    labelSelector: await selector(labelSelectorSteps, query.first('labelSelector')),
    fieldSelector: await selector(fieldSelectorSteps, query.first('fieldSelector')),
    resourceVersion: query.first('resourceVersion') ?? '',
    resourceVersionMatch: query.first('resourceVersionMatch') ?? '',
    continue: query.first('continue') ?? '',
    allowWatchBookmarks: isTrue(query.first('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.first('sendInitialEvents')) : undefined,
  };
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_DIGITS = 19;

/** Numbers JavaScript can't hold are far more than there are items or seconds: the nearest one does. */
function integer(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^[+-]?[0-9]+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const digits = text.replace(/^[+-]?0*/, '');
  const value = digits.length > INT64_DIGITS ? 2n ** 64n : BigInt(text.replace(/^\+/, ''));
  if (value > INT64_MAX || value < -INT64_MAX - 1n) {
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  }
  return Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** In slices: a selector may be as long as the headers. */
async function selector<Selector>(stepsOf: (text: string) => Steps<Selector>, text = ''): Promise<Selector> {
  const steps = stepsOf(text);
  const slices = openSlices();
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      const pause = slices.next();
      if (pause !== undefined) await pause;
    }
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

/** A watch from nowhere or from 0 begins with the state there is, as if it had been asked for. */
function completedForWatch(options: Decoded): Decoded {
  const fromNow = options.resourceVersion === '' || options.resourceVersion === '0';
  if (!fromNow || options.resourceVersionMatch !== '' || options.sendInitialEvents !== undefined)
    return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

const MATCH = 'resourceVersionMatch';
const INITIAL = 'sendInitialEvents';

function listErrors(options: Decoded): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match, resourceVersion } = options;
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(forbiddenValue(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    }
    if (options.continue !== '')
      errors.push(forbiddenValue(MATCH, `${MATCH} is forbidden when continue is provided`));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(unsupportedValue(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbiddenValue(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenValue(INITIAL, `${INITIAL} is forbidden for list`));
  }
  return errors;
}

function watchErrors(options: Decoded): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbiddenValue(MATCH, `${INITIAL} requires setting ${MATCH} to NotOlderThan`));
  }
  if (match !== '') {
    if (sendInitialEvents === undefined) {
      errors.push(forbiddenValue(MATCH, `${MATCH} is forbidden for watch unless ${INITIAL} is provided`));
    }
    if (match !== 'NotOlderThan') errors.push(unsupportedValue(MATCH, match, ['NotOlderThan']));
    if (options.continue !== '')
      errors.push(forbiddenValue(MATCH, `${MATCH} is forbidden when continue is provided`));
  }
  return errors;
}

/** `/watch/…/<name>`: the path's name is the field selector; one that is given must ask for the same. */
function narrowedTo(name: string, given: FieldSelector): FieldSelector {
  if (!given.empty && given.exact('metadata.name') !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return given.empty ? parseFieldSelector(`metadata.name=${name.replace(/[\\,=]/g, '\\$&')}`) : given;
}
