// Defaults of devices: when a taint was added.
import type { JsonObject } from '@sluice/encoding';

export function setTimeAdded(taint: JsonObject): void {
  if (!taint.has('timeAdded')) taint.set('timeAdded', `${new Date().toISOString().slice(0, 19)}Z`);
}
