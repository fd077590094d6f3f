// What a server holds of a kind, and which version it says it is.
import { askWhole, openClient } from './client.ts';
import { probeList } from './list-jobs.ts';
import type { Subject } from './list-load.ts';
import type { CellKey, Kind } from './matrix.ts';
import { refusalOf } from './problem.ts';
import { collection } from './requests.ts';

const READ_LIMIT_SECONDS = 300;

/** How many objects, and the bytes of their list in JSON. */
export async function readContents(subject: Subject, kind: Kind): Promise<{ count: number; bytes: number }> {
  const client = openClient(subject, 'h1');
  try {
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const { code, text } = await askWhole(client, `${collection(kind)}?limit=1`, { headers: { accept } });
    if (code !== 200) throw refusalOf(code, text);
    const { items, metadata } = JSON.parse(text) as {
      items: unknown[];
      metadata: { remainingItemCount?: number };
    };
    const count = items.length + (metadata.remainingItemCount ?? 0);
    const { decodedBytes } = await probeList(subject, plainList(kind), count, READ_LIMIT_SECONDS);
    return { count, bytes: decodedBytes };
  } finally {
    client.close();
  }
}

export async function readVersion(subject: Subject): Promise<string> {
  const client = openClient(subject, 'h1');
  try {
    const { code, text } = await askWhole(client, '/version');
    if (code !== 200) throw refusalOf(code, text);
    return (JSON.parse(text) as { gitVersion: string }).gitVersion;
  } finally {
    client.close();
  }
}

function plainList(kind: Kind): CellKey {
  return {
    ...{ kind, representation: 'json', encoding: 'identity', http: 'h1' },
    ...{ readers: 1, gate: 'on', job: 'list' },
  };
}
