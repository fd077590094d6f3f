// The kinds of load: where each object goes, what it holds, and what the server must know before the first one.
import type { Client, Reply } from './client.ts';
import { buildUntypedManagedFields } from './managed-fields.ts';
import { buildPod } from './pod.ts';
import { randomText } from './random-text.ts';
import { createWidgetDefinition, WIDGETS_PATH } from './widget.ts';

export type Workload = {
  /** Before the first object. */
  prepare(client: Client): Promise<void>;
  /** Writes one object; the answer to the last request it took. */
  write(client: Client, index: number): Promise<Reply>;
};

export type WorkloadOptions = {
  namespace: string;
  /** Characters of random text: the data of a ConfigMap, an annotation of the others. */
  bytes: number;
};

export const WORKLOADS: Readonly<Record<string, (options: WorkloadOptions) => Workload>> = {
  configmaps: configMaps,
  pods,
  customresources: customResources,
};

function configMaps({ namespace, bytes }: WorkloadOptions): Workload {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  return {
    prepare: async () => {},
    write: (client, index) =>
      client.send('POST', path, {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: numbered('cm', index), labels: loadLabels(index) },
        data: { 'data.key': randomText(bytes) },
      }),
  };
}

/** A create drops the status, as it does for everyone: it is written afterwards, as a kubelet would. */
function pods({ namespace, bytes }: WorkloadOptions): Workload {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  return {
    prepare: async () => {},
    async write(client, index) {
      const name = numbered('pod', index);
      const { metadata, ...pod } = buildPod(index, name, namespace);
      const annotations = { ...metadata.annotations, ...padding(bytes) };
      const body = { ...pod, metadata: { ...metadata, annotations } };
      const created = await client.send('POST', path, body);
      if (created.code !== 201) return created;
      return client.send('PUT', `${path}/${name}/status`, body);
    },
  };
}

/** Widgets carry spec and status of a Pod: the same content for the server to keep, without a schema. */
function customResources({ namespace, bytes }: WorkloadOptions): Workload {
  return {
    prepare: createWidgetDefinition,
    write(client, index) {
      const name = numbered('w', index);
      const { spec, status } = buildPod(index, name, namespace);
      const annotations = bytes > 0 ? { annotations: padding(bytes) } : {};
      const labels = loadLabels(index);
      const managedFields = buildUntypedManagedFields('example.test/v1', labels, spec, status);
      return client.send('POST', `${WIDGETS_PATH}/namespaces/${namespace}/widgets`, {
        apiVersion: 'example.test/v1',
        kind: 'Widget',
        metadata: { name, labels, ...annotations, managedFields },
        spec,
        status,
      });
    },
  };
}

function padding(bytes: number): Record<string, string> {
  return bytes > 0 ? { 'load.example.test/text': randomText(bytes) } : {};
}

function numbered(prefix: string, index: number): string {
  return `${prefix}-${String(index).padStart(6, '0')}`;
}

/** `tenth` lets a selector choose one of ten. */
function loadLabels(index: number): Record<string, string> {
  return { group: 'load', tenth: String(index % 10) };
}
