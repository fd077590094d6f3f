// Which IP families a Service is in. This server has addresses of IPv4 only, so that there is little to choose.
import { isIP, isIPv6 } from 'node:net';
import { type ApiObject, type FieldError, forbiddenValue, invalidValue } from '@sluice/resources';
import { HEADLESS, isHeadless, needsAddress } from './service-object.ts';
import { objectAt, textAt, textsAt } from './tree.ts';

const FAMILY = 'IPv4';

/** Fills in families and their policy. Gives what is wrong with addresses and families. */
export function setFamilies(service: ApiObject, old: ApiObject | undefined): FieldError[] {
  if (!needsAddress(service)) return unneededErrors(service);
  const spec = objectAt(service, 'spec');
  const isSelecting = spec.get('selector') instanceof Map && objectAt(spec, 'selector').size > 0;
  const isOpen = textAt(spec, 'clusterIP') === HEADLESS && !isSelecting;
  if (textAt(spec, 'ipFamilyPolicy') === '') {
    const policy = old ? textAt(old, 'spec', 'ipFamilyPolicy') : '';
    spec.set('ipFamilyPolicy', policy || (isOpen ? 'RequireDualStack' : 'SingleStack'));
  }
  const errors = addressErrors(service);
  if (errors.length > 0) return errors;
  const families = textsAt(spec, 'ipFamilies');
  const isSingle = textAt(spec, 'ipFamilyPolicy') === 'SingleStack';
  if (!isOpen) errors.push(...familyErrors(service, families));
  if (families.length === 0) families.push(FAMILY);
  // Nobody knows where the endpoints of a service without a selector are.
  if (isOpen && !isSingle && families.length < 2) families.push(families[0] === FAMILY ? 'IPv6' : FAMILY);
  spec.set('ipFamilies', families);
  return errors;
}

function unneededErrors(service: ApiObject): FieldError[] {
  if (textsAt(service, 'spec', 'clusterIPs').length === 0) return [];
  return [forbiddenValue('spec.clusterIPs', 'may not be set for ExternalName services')];
}

function addressErrors(service: ApiObject): FieldError[] {
  const [address, addresses] = [textAt(service, 'spec', 'clusterIP'), textsAt(service, 'spec', 'clusterIPs')];
  const errors: FieldError[] = [];
  if (address === '' && addresses.length > 0) {
    errors.push(
      invalidValue('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified'),
    );
  }
  if (address !== '' && addresses[0] !== address) {
    errors.push(invalidValue('spec.clusterIPs', addresses, 'first value must match `clusterIP`'));
  }
  if (isHeadless(service)) return errors;
  for (const [index, one] of addresses.entries()) {
    const field = `spec.clusterIPs[${index}]`;
    if (isIP(one) === 0) {
      const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
      errors.push(invalidValue(field, one, detail));
    } else if (errors.length === 0 && isIPv6(one)) {
      errors.push(invalidValue(field, addresses, 'IPv6 is not configured on this cluster'));
    }
  }
  return errors;
}

function familyErrors(service: ApiObject, families: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(service, 'spec', 'ipFamilyPolicy') === 'RequireDualStack') {
    const detail = 'this cluster is not configured for dual-stack services';
    errors.push(invalidValue('spec.ipFamilyPolicy', 'RequireDualStack', detail));
  }
  for (const [index, family] of families.entries()) {
    if (family === FAMILY) continue;
    errors.push(invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  return errors;
}
