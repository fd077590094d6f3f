// Lists a URI again and again, and tells what each list took and what the server used for all of them.
import { type Access, readWithCurl, type Transfer } from './curl.ts';
import { startMeter, type Usage } from './process-meter.ts';

/** A server to measure; `pid` lets its CPU and memory be read. */
export type Subject = Access & { name: string; pid?: number | undefined };

export type ListOptions = {
  uri: string;
  accept: string;
  encoding: string;
  http: '1.1' | '2';
  readers: number;
  /** Lists per reader, one after the other on one connection. */
  reps: number;
};

export type Measured = { name: string; listings: Transfer[]; seconds: number; usage: Usage | undefined };

export async function measureLists(subject: Subject, options: ListOptions): Promise<Measured> {
  const meter = subject.pid === undefined ? undefined : startMeter(subject.pid);
  const started = performance.now();
  const uris = Array.from({ length: options.reps }, () => options.uri);
  const listings = (await readWithCurl(subject, { ...options, uris })).flat();
  const seconds = (performance.now() - started) / 1000;
  return { name: subject.name, listings, seconds, usage: meter?.stop() };
}
