// Which addresses and node ports a stored Service has, read from its bytes: a service may be large, and all are read.
import { eachElement, findMember } from '@sluice/encoding';
import { scalarIn } from '../object-bytes.ts';
import { HEADLESS } from './service-object.ts';

/** Addresses and ports look different enough to be in one book. */
export function numbersOf(service: Uint8Array): string[] {
  const spec = findMember(service, 0, 'spec');
  if (!spec) return [];
  const numbers = [scalarIn(service, 'spec', 'healthCheckNodePort')];
  const addresses = findMember(service, spec.start, 'clusterIPs');
  if (addresses) {
    eachElement(service, addresses.start, (start, end) => {
      numbers.push(Buffer.from(service.subarray(start + 1, end - 1)).toString('latin1'));
    });
  }
  const ports = findMember(service, spec.start, 'ports');
  if (ports) {
    eachElement(service, ports.start, (start) => {
      const port = findMember(service, start, 'nodePort');
      if (port) numbers.push(Buffer.from(service.subarray(port.start, port.end)).toString('latin1'));
    });
  }
  return numbers.filter((number) => number !== '' && number !== '0' && number !== HEADLESS);
}
