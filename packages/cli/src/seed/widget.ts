// The custom resource of the load: widgets.example.test, which takes any spec and status.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';

const DEFINITIONS_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const WIDGETS_PATH = '/apis/example.test/v1';

/** A server needs a moment between taking a definition and serving it. */
const SERVED_LIMIT_MS = 30_000;
const ASK_EVERY_MS = 100;

export async function createWidgetDefinition(client: Client): Promise<void> {
  const { code, text } = await client.send('POST', DEFINITIONS_PATH, WIDGET_DEFINITION);
  if (code !== 201 && code !== 409) throw new Error(`the custom resource definition was refused: ${text}`);
  const deadline = Date.now() + SERVED_LIMIT_MS;
  while ((await client.send('GET', `${WIDGETS_PATH}/widgets?limit=1`)).code !== 200) {
    if (Date.now() > deadline) throw new Error('widgets.example.test is not served in time');
    await sleep(ASK_EVERY_MS);
  }
}

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const WIDGET_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: ANYTHING, status: ANYTHING } },
        },
      },
    ],
  },
};
