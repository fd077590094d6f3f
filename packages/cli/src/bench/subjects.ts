// Reads `--subject NAME=KUBECONFIG[,pid=N][,gate=off]`, and tells which servers may be filled.
import { type Access, readKubeconfig } from '../kubeconfig.ts';

/** A server runs with the gates of streamed lists on or off: it can't be both. */
export type NamedSubject = {
  subject: Access & { name: string; pid: number | undefined };
  gate: 'on' | 'off';
};

export const SUBJECT_SHOWN = 'NAME=KUBECONFIG[,pid=N][,gate=off]';

/** @throws Error that says how it is written, or what the kubeconfig lacks */
export function readSubject(text: string): NamedSubject {
  const match = /^([^=,]+)=([^,]+)((?:,(?:pid=\d+|gate=(?:on|off)))*)$/.exec(text);
  if (!match) throw new Error(`--subject ${text} does not read ${SUBJECT_SHOWN}`);
  const [, name, kubeconfig, rest] = match;
  const pid = /,pid=(\d+)/.exec(rest!)?.[1];
  const gate = /,gate=off/.test(rest!) ? 'off' : 'on';
  return {
    subject: {
      ...readKubeconfig(kubeconfig!),
      name: name!,
      pid: pid === undefined ? undefined : Number(pid),
    },
    gate,
  };
}

/** @throws Error that names the server that others may be using */
export function refuseRemote(subjects: readonly NamedSubject[], iKnow: boolean): void {
  if (iKnow) return;
  for (const { subject } of subjects) {
    if (isLoopback(new URL(subject.server).hostname)) continue;
    throw new Error(
      `${subject.name} at ${subject.server} is not on this machine: it would be filled with thousands of objects. --i-know does it`,
    );
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
