// When an image is pulled, if nobody says so: always if its tag is `latest`, else unless it is there.
import type { JsonObject } from '@sluice/encoding';
import { text } from '../tree.ts';

export function setImagePullPolicy(container: JsonObject): void {
  if (text(container.get('imagePullPolicy')) !== '') return;
  container.set('imagePullPolicy', policyOf(text(container.get('image'))));
}

/** An image as a volume. */
export function setVolumePullPolicy(source: JsonObject): void {
  if (text(source.get('pullPolicy')) !== '') return;
  source.set('pullPolicy', policyOf(text(source.get('reference'))));
}

function policyOf(image: string): string {
  return tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

const NAME_MAX_CHARACTERS = 255;
const DOMAIN =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
const PATH = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const BARE_DIGEST = /^[a-f0-9]{64}$/;

/** The tag of `domain/path:tag@digest`, `latest` if there is neither; '' for what isn't an image's name. */
function tagOf(image: string): string {
  const [named = '', digest, ...rest] = image.split('@');
  if (rest.length > 0 || (digest !== undefined && !DIGEST.test(digest)) || BARE_DIGEST.test(image)) return '';
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  if (tag !== undefined && !TAG.test(tag)) return '';
  if (!isName(colon < 0 ? named : named.slice(0, colon))) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

/** Path components; the first may be a domain if it looks like one. */
function isName(name: string): boolean {
  const parts = name.split('/');
  const first = parts[0]!;
  const looksLikeDomain = parts.length > 1 && (/[.:]|[A-Z]/.test(first) || first === 'localhost');
  const paths = looksLikeDomain && DOMAIN.test(first) ? parts.slice(1) : parts;
  return paths.join('/').length <= NAME_MAX_CHARACTERS && paths.every((part) => PATH.test(part));
}
