// Which rule the names of each kind follow.
import { isIP, isIPv4 } from 'node:net';
import type { ApiObject, Kind } from './kind.ts';
import { dnsLabelProblems, dnsSubdomainProblems, pathSegmentProblems } from './names.ts';
import { members, text } from './tree.ts';

type Rule = (name: string, object: ApiObject, isPrefix: boolean) => string[];

const dnsSubdomain: Rule = (name, _object, isPrefix) =>
  dnsSubdomainProblems(isPrefix ? withoutDash(name) : name);
const dnsLabel: Rule = (name, _object, isPrefix) => dnsLabelProblems(isPrefix ? withoutDash(name) : name);
const pathSegment: Rule = (name, _object, isPrefix) => pathSegmentProblems(name, isPrefix);

/** All other kinds: DNS subdomains. */
const RULES: Readonly<Record<string, Rule>> = {
  namespaces: dnsLabel,
  services: dnsLabel,
  'statefulsets.apps': dnsLabel,
  'roles.rbac.authorization.k8s.io': (name) => pathSegmentProblems(name),
  'clusterroles.rbac.authorization.k8s.io': (name) => pathSegmentProblems(name),
  'rolebindings.rbac.authorization.k8s.io': (name) => pathSegmentProblems(name),
  'clusterrolebindings.rbac.authorization.k8s.io': (name) => pathSegmentProblems(name),
  'certificatesigningrequests.certificates.k8s.io': pathSegment,
  'clustertrustbundles.certificates.k8s.io': trustBundle,
  'ipaddresses.networking.k8s.io': (name) => ipAddressProblems(name),
  'customresourcedefinitions.apiextensions.k8s.io': definition,
  'apiservices.apiregistration.k8s.io': apiService,
};

/** What is wrong with a name, or with the start of a generated one. */
export function nameProblems(kind: Kind, name: string, object: ApiObject, isPrefix: boolean): string[] {
  const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
  const problems = ((!kind.custom && RULES[resource]) || dnsSubdomain)(name, object, isPrefix);
  return problems.length > 0 ? problems : pathSegmentProblems(name, isPrefix);
}

/** The dash at the end is followed by random characters. */
function withoutDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

function trustBundle(name: string, object: ApiObject, isPrefix: boolean): string[] {
  const signer = specText(object, 'signerName');
  if (signer === '') {
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : dnsSubdomain(name, object, isPrefix);
  }
  const start = `${signer.replaceAll('/', ':')}:`;
  if (!name.startsWith(start)) {
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${start}`];
  }
  return dnsSubdomain(name.slice(start.length), object, isPrefix);
}

function definition(name: string, object: ApiObject): string[] {
  const names = members(members(object.get('spec')).get('names'));
  const problems = dnsSubdomainProblems(name);
  if (name === `${text(names.get('plural'))}.${specText(object, 'group')}`) return problems;
  return [...problems, 'must be spec.names.plural+"."+spec.group'];
}

function apiService(name: string, object: ApiObject): string[] {
  const problems = pathSegmentProblems(name);
  const required = `${specText(object, 'version')}.${specText(object, 'group')}`;
  if (problems.length > 0 || name === required) return problems;
  return [`must be \`spec.version+"."+spec.group\`: "${required}"`];
}

function ipAddressProblems(name: string): string[] {
  if (isIP(name) === 0) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const canonical = isIPv4(name) ? name : new URL(`http://[${name}]`).hostname.slice(1, -1);
  return canonical === name ? [] : [`must be in canonical form ("${canonical}")`];
}

function specText(object: ApiObject, name: string): string {
  return text(members(object.get('spec')).get(name));
}
