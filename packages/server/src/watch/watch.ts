// WATCH: the state to begin with, if asked for, then one event per change, from the same bytes as lists.
import { CacheError, type Change, type Snapshot, type Subscription } from '@sluice/cache';
import { ApiError, goQuote, type Include, type Kind, plainError } from '@sluice/resources';
import type { Sink, StreamAnswer } from '../api.ts';
import { collectionPrefix } from '../keys.ts';
import { shownForm } from '../list/form.ts';
import { openSlices } from '../list/slices.ts';
import { uint64Problem } from '../list/snapshot.ts';
import type { ListOptions } from '../list-options.ts';
import { producible, type Representation, streamMediaType } from '../negotiation.ts';
import type { Parts } from '../parts.ts';
import { futureError, isWatchTooOld, watchTooOldError } from '../uncached.ts';
import { EventFrames, type EventType, NoListError } from './frames.ts';
import { largeEvent } from './large-event.ts';
import { openMatcher } from './matcher.ts';
import { WatchQueue } from './queue.ts';
import { stateForm, writeState } from './state.ts';

/** How long initial events wait for a resourceVersion of the future. */
const FUTURE_WAIT_MS = 3_000;
/** Missed changes told at a time. */
const CATCH_UP_CHANGES = 500;
const BOOKMARK_EVERY_MS = 60_000;
/** The last bookmark is sent this long before the end. */
const BOOKMARK_BEFORE_END_MS = 2_000;

export type WatchRequest = { representation: Representation; include: Include; signal: AbortSignal };

/** @throws ApiError 406; 500 for a resourceVersion that is no number: so does the reference, for watches. */
export function watch(
  parts: Parts,
  kind: Kind,
  namespace: string,
  options: ListOptions,
  { representation, include, signal }: WatchRequest,
): StreamAnswer {
  const revision = readResourceVersion(options.resourceVersion);
  const mediaType = streamMediaType(representation, producible(parts.gates));
  const form = shownForm(parts, kind);
  const { now, events: framed } = parts;
  const frames = new EventFrames(kind, { representation, include, now, form, framed });
  const session = new Session(parts, kind, namespace, options, frames, representation, signal);
  return {
    type: 'stream',
    code: 200,
    mediaType,
    live: true,
    flushesGzipped: options.sendInitialEvents === true && options.allowWatchBookmarks,
    write: (sink) => session.run(sink, revision),
  };
}

function readResourceVersion(text: string): bigint {
  if (text === '') return 0n;
  const problem = uint64Problem(text);
  if (problem === undefined) return BigInt(text);
  const quoted = goQuote(text);
  throw plainError(
    `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${problem}`,
  );
}

class Session {
  readonly #parts: Parts;
  readonly #kind: Kind;
  readonly #prefix: string;
  readonly #options: ListOptions;
  readonly #matches: (item: { key: string; bytes: Uint8Array }) => boolean;
  readonly #frames: EventFrames;
  readonly #representation: Representation;
  readonly #queue: WatchQueue;
  readonly #endsAt: number;
  /** The newest revision the client has seen, in an event or a bookmark. */
  #shown = 0n;

  constructor(
    parts: Parts,
    kind: Kind,
    namespace: string,
    options: ListOptions,
    frames: EventFrames,
    representation: Representation,
    signal: AbortSignal,
  ) {
    this.#parts = parts;
    this.#kind = kind;
    this.#prefix = collectionPrefix(kind, namespace);
    this.#options = options;
    this.#matches = openMatcher(kind, options);
    this.#frames = frames;
    this.#representation = representation;
    this.#endsAt = performance.now() + timeoutMs(options.timeoutSeconds, parts.limits.minRequestTimeoutMs);
    this.#queue = new WatchQueue(this.#endsAt, signal);
  }

  async run(sink: Sink, revision: bigint): Promise<void> {
    await sink.flush();
    // Of a negative timeoutSeconds.
    if (this.#queue.isOver) return this.#queue.close();
    let subscription: Subscription | undefined;
    try {
      const begun = await this.#begin(sink, revision);
      if (begun === undefined) return;
      this.#shown = begun;
      const caughtUp = await this.#catchUp(sink, begun);
      subscription = this.#subscribe(caughtUp, revision);
      await this.#follow(sink);
    } catch (error) {
      // The reference breaks off at the first event, and the answer looks whole.
      if (error instanceof NoListError) return;
      if (!(error instanceof ApiError)) throw error;
      await sink.write(this.#frames.error(error));
    } finally {
      subscription?.stop();
      this.#queue.close();
    }
  }

  /** Tells the state there is, if asked to; gives the revision after which changes are told. Undefined: it is over. */
  async #begin(sink: Sink, revision: bigint): Promise<bigint | undefined> {
    const cache = this.#parts.cache.resource(this.#kind.storagePrefix);
    if (!this.#tellsState(revision)) return revision === 0n ? cache.current().revision : revision;
    if (revision > cache.current().revision) await this.#queue.waitMs(FUTURE_WAIT_MS);
    const snapshot = cache.current();
    if (revision > snapshot.revision) {
      await sink.write(this.#frames.error(futureError(this.#kind, revision, snapshot.revision)));
      await sink.flush();
      // The reference leaves it to the client to go away.
      await this.#queue.wait(this.#endsAt);
      return undefined;
    }
    await this.#tellState(sink, snapshot);
    if (this.#options.sendInitialEvents && this.#options.allowWatchBookmarks) {
      await sink.write(this.#frames.bookmark(snapshot.revision, true));
    }
    await sink.flush();
    return snapshot.revision;
  }

  /** From a zero that isn't spelled 0, such as 00, the reference tells the state, and not where it ends. */
  #tellsState(revision: bigint): boolean {
    return this.#options.sendInitialEvents ?? (revision === 0n && this.#options.resourceVersion !== '');
  }

  async #tellState(sink: Sink, snapshot: Snapshot): Promise<void> {
    const form = stateForm(this.#parts, this.#kind, this.#representation, sink.gzips);
    const prefix = this.#prefix;
    if (form) return writeState(sink, this.#parts, this.#kind, this.#options, { snapshot, prefix, form });
    const slices = openSlices();
    for (const leaf of snapshot.leaves(this.#prefix, this.#prefix)) {
      for (let i = leaf.indexFrom(this.#prefix); i < leaf.count; i++) {
        const key = leaf.keys[i]!;
        if (!key.startsWith(this.#prefix)) return;
        const bytes = leaf.bytesOf(i);
        if (!this.#matches({ key, bytes })) continue;
        await this.#tellEvent(sink, 'ADDED', bytes);
        await slices.next();
      }
      await slices.next();
    }
  }

  /** Tells what is missed piece by piece, at the reader's pace: it may be more than a queue holds. */
  async #catchUp(sink: Sink, after: bigint): Promise<bigint> {
    const cache = this.#parts.cache.resource(this.#kind.storagePrefix);
    if (isWatchTooOld(this.#parts, this.#kind, after)) throw watchTooOldError(this.#parts, this.#kind, after);
    let told = after;
    for (;;) {
      const missed = this.#orTooOld(told, () => cache.changes(told, CATCH_UP_CHANGES));
      if (missed.length === 0 || this.#queue.isOver) return told;
      for (const change of missed) {
        told = change.revision;
        if (change.key.startsWith(this.#prefix)) await this.#tell(sink, change);
      }
    }
  }

  #subscribe(after: bigint, asked: bigint): Subscription {
    const cache = this.#parts.cache.resource(this.#kind.storagePrefix);
    const onChange = (change: Change): void => this.#take(change);
    return this.#orTooOld(asked, () => cache.subscribe(after, onChange, () => this.#queue.end()));
  }

  #orTooOld<Result>(asked: bigint, ask: () => Result): Result {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof CacheError)) throw error;
      throw watchTooOldError(this.#parts, this.#kind, asked);
    }
  }

  #take(change: Change): void {
    if (change.key.startsWith(this.#prefix)) this.#queue.add(change);
  }

  async #follow(sink: Sink): Promise<void> {
    let bookmarkAt = Math.min(performance.now() + BOOKMARK_EVERY_MS, this.#endsAt - BOOKMARK_BEFORE_END_MS);
    for (;;) {
      for (let change = this.#queue.take(); change; change = this.#queue.take())
        await this.#tell(sink, change);
      await sink.flush();
      const woken = await this.#queue.wait(this.#options.allowWatchBookmarks ? bookmarkAt : this.#endsAt);
      if (woken === 'over') return;
      if (woken === 'change') continue;
      await this.#bookmark(sink);
      const lastBookmarkAt = this.#endsAt - BOOKMARK_BEFORE_END_MS;
      const isLast = performance.now() >= lastBookmarkAt;
      bookmarkAt = isLast ? this.#endsAt : Math.min(performance.now() + BOOKMARK_EVERY_MS, lastBookmarkAt);
    }
  }

  /** Nothing is queued: what has happened up to the cache's revision was told or doesn't concern this watch. */
  async #bookmark(sink: Sink): Promise<void> {
    const { revision } = this.#parts.cache;
    if (revision <= this.#shown) return;
    this.#shown = revision;
    await sink.write(this.#frames.bookmark(revision, false));
  }

  /** A change as it looks through the selectors: entering is ADDED, leaving DELETED. */
  async #tell(sink: Sink, { revision, item, previous }: Change): Promise<void> {
    const was = previous !== null && this.#matches(previous);
    const is = item !== null && this.#matches(item);
    if (!was && !is) return;
    this.#shown = revision;
    if (is) await this.#tellEvent(sink, was ? 'MODIFIED' : 'ADDED', item.bytes);
    else await this.#tellEvent(sink, 'DELETED', previous!.bytes, revision);
  }

  async #tellEvent(sink: Sink, type: EventType, item: Uint8Array, deleted?: bigint): Promise<void> {
    const frames = this.#frames;
    let pieces: readonly Uint8Array[];
    if (frames.isHeavy(item)) {
      pieces = [
        await largeEvent(this.#parts, this.#kind, { ...frames.handed(), type, item, revision: deleted }),
      ];
    } else {
      pieces = frames.event(type, item, deleted);
    }
    for (const piece of pieces) {
      const room = sink.write(piece);
      if (room) await room;
    }
  }
}

/** Unasked for, watches end at times of their own, so that clients don't all come back at once. */
function timeoutMs(seconds: number, minMs: number): number {
  const ms = seconds === 0 ? minMs * (1 + Math.random()) : Math.max(seconds, 0) * 1000;
  return Math.min(ms, TIMER_MAX_MS);
}

/** Node's timers hold no more. */
const TIMER_MAX_MS = 2 ** 31 - 1;
