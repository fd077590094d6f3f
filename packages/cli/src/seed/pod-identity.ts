// What made Pods differ in: names, addresses and hashes that belong to their number.
import { createHash } from 'node:crypto';

/** What pods differ in. Ten neighbours belong to one ReplicaSet. */
export type Identity = {
  index: number;
  name: string;
  /** Which ReplicaSet it belongs to. */
  set: number;
  application: string;
  templateHash: string;
  accountVolume: string;
  node: string;
  podIp: string;
  hostIp: string;
};

const REPLICAS = 10;
const NODES = 500;

export function identityOf(index: number, name: string): Identity {
  const set = Math.floor(index / REPLICAS);
  const node = (index * 7) % NODES;
  return {
    index,
    name,
    set,
    application: `orders-${set}`,
    templateHash: digits(10, 'template', set),
    accountVolume: `kube-api-access-${digits(5, 'volume', index)}`,
    node: `worker-${String(node).padStart(4, '0')}.zone-${'abc'[node % 3]}.example.test`,
    podIp: `10.${64 + ((index >> 16) & 63)}.${(index >> 8) & 255}.${index & 255}`,
    hostIp: `172.20.${node >> 8}.${node & 255}`,
  };
}

/** Hex digits that look random and belong to the index. */
export function digits(length: number, purpose: string, index: number): string {
  return createHash('sha256').update(`${purpose} ${index}`).digest('hex').slice(0, length);
}
