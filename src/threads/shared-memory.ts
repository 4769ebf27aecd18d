import { MessageChannel, type MessagePort } from 'node:worker_threads';

/**
 * Memory that all threads of a process see, by name: models, sales and layers of markets, and what follows from them. It
 * exists once, however many threads read it, and is built by the first thread that needs it.
 */
export interface SharedMemory {
  /**
   * A function that returns what `open` makes of the memory with its arguments, which must be JSON. `build` makes the
   * bytes if no thread has yet. What was opened is kept as long as the memory. A failure is not kept.
   *
   * @param kind with the arguments the name of the memory
   */
  readonly cached: <Args extends readonly unknown[], Opened>(
    kind: string,
    build: (...args: Args) => Promise<Uint8Array>,
    open: (bytes: Uint8Array, ...args: Args) => Opened | Promise<Opened>,
  ) => (...args: Args) => Promise<Opened>;
}

/** The memory of a process, in its main thread. */
export interface OwnedMemory extends SharedMemory {
  /** Whether the memory of these arguments exists, so that opening it takes no time. */
  readonly has: (kind: string, ...args: readonly unknown[]) => boolean;
  /** A port for `connectMemory` in another thread of the process. */
  readonly connect: () => MessagePort;
  readonly bytes: () => number;
  /** Bytes by name, which contains the arguments. */
  readonly sizes: () => ReadonlyMap<string, number>;
}

type Build = () => Promise<Uint8Array>;

/** Messages of a thread to the main thread. */
type ToOwner =
  | { readonly wanted: string }
  | { readonly built: string; readonly buffer: ArrayBufferLike }
  | { readonly failed: string }
  | { readonly used: string };

/** Messages of the main thread to the others. */
type ToThread =
  | { readonly name: string; readonly buffer: ArrayBufferLike }
  | { readonly build: string }
  | { readonly dropped: string };

/** How often a thread reports that it uses a memory: the least recently used is dropped first. */
const REPORT_EVERY_MS = 1000;

/** Bytes in memory that threads share. */
export function allocateShared(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

function asShared(bytes: Uint8Array): Uint8Array {
  const { buffer, length } = bytes;
  if (buffer instanceof SharedArrayBuffer && buffer.byteLength === length) return bytes;
  const shared = allocateShared(length);
  shared.set(bytes);
  return shared;
}

/** Where dropped memory is kept, because reading it takes a tenth of the time of building it. */
export interface DroppedMemory {
  /** Keeps bytes under a name, if it has none yet. */
  readonly keep: (name: string, bytes: Uint8Array) => void;
  /** What was kept under a name; null if nothing is. */
  readonly read: (name: string) => Promise<Uint8Array | null>;
}

/**
 * Keeps up to `mostBytes`, and at least the memory that was built last. What is dropped is freed once no request uses it any
 * more.
 */
export function createSharedMemory(mostBytes = Infinity, dropped: DroppedMemory | null = null): OwnedMemory {
  /** The least recently used first. Without bytes while they are built. */
  const entries = new Map<string, { readonly bytes: Promise<Uint8Array>; size: number }>();
  const ports = new Set<MessagePort>();
  const threadCaches = createCaches(acquire, use);

  function use(name: string): void {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    entries.set(name, entry);
  }
  async function acquire(name: string, build: Build): Promise<Uint8Array> {
    const known = entries.get(name);
    if (known !== undefined) {
      use(name);
      // Another thread that could not build it reports why to its own caller.
      const bytes = await known.bytes.catch(() => null);
      return bytes ?? acquire(name, build);
    }
    const readOrBuild = async () => (await dropped?.read(name)) ?? build();
    const entry = { bytes: readOrBuild().then(asShared), size: 0 };
    entries.set(name, entry);
    try {
      const bytes = await entry.bytes;
      entry.size = bytes.length;
      makeRoom(name);
      return bytes;
    } catch (error) {
      entries.delete(name);
      throw error;
    }
  }
  const bytes = (): number => [...entries.values()].reduce((sum, { size }) => sum + size, 0);
  function makeRoom(newest: string): void {
    let total = bytes();
    for (const [name, { bytes: found, size }] of entries) {
      if (total <= mostBytes) return;
      if (size === 0 || name === newest) continue;
      if (dropped) void found.then((content) => dropped.keep(name, content));
      entries.delete(name);
      threadCaches.drop(name);
      for (const port of ports) send(port, { dropped: name });
      total -= size;
    }
  }
  function connect(): MessagePort {
    const { port1: port, port2 } = new MessageChannel();
    const building = new Map<string, PromiseWithResolvers<Uint8Array>>();
    const buildThere = (name: string): Promise<Uint8Array> => {
      const built = Promise.withResolvers<Uint8Array>();
      building.set(name, built);
      send(port, { build: name });
      return built.promise;
    };
    port.on('message', (message: ToOwner) => {
      if ('used' in message) use(message.used);
      else if ('wanted' in message) {
        const name = message.wanted;
        void acquire(name, () => buildThere(name)).then(
          ({ buffer }) => send(port, { name, buffer }),
          // The thread failed to build it itself.
          () => {},
        );
      } else if ('built' in message) {
        building.get(message.built)?.resolve(new Uint8Array(message.buffer));
        building.delete(message.built);
      } else {
        building.get(message.failed)?.reject(new Error('The thread could not build this memory.'));
        building.delete(message.failed);
      }
    });
    port.on('close', () => {
      ports.delete(port);
      for (const { reject } of building.values())
        reject(new Error('The thread that built this memory ended.'));
    });
    port.unref();
    ports.add(port);
    return port2;
  }
  return {
    cached: threadCaches.cached,
    has: (kind, ...args) => (entries.get(nameOf(kind, args))?.size ?? 0) > 0,
    connect,
    bytes,
    sizes: () => new Map([...entries].map(([name, { size }]) => [name, size])),
  };
}

/** The memory of the process, in a thread that is not its main thread. */
export function connectMemory(port: MessagePort): SharedMemory {
  const waiting = new Map<string, PromiseWithResolvers<Uint8Array> & { readonly build: Build }>();
  const reportedAt = new Map<string, number>();
  const { cached, drop } = createCaches(
    (name, build) => {
      const known = waiting.get(name);
      if (known !== undefined) return known.promise;
      const wanted = { ...Promise.withResolvers<Uint8Array>(), build };
      waiting.set(name, wanted);
      send(port, { wanted: name });
      return wanted.promise;
    },
    (name) => {
      const now = performance.now();
      if (now - (reportedAt.get(name) ?? -Infinity) < REPORT_EVERY_MS) return;
      reportedAt.set(name, now);
      send(port, { used: name });
    },
  );
  async function build(name: string): Promise<void> {
    const wanted = waiting.get(name);
    try {
      if (wanted === undefined) throw new Error('No caller of this thread wants this memory.');
      const { buffer } = asShared(await wanted.build());
      send(port, { built: name, buffer });
    } catch (error) {
      waiting.delete(name);
      wanted?.reject(error);
      send(port, { failed: name });
    }
  }
  port.on('message', (message: ToThread) => {
    if ('build' in message) void build(message.build);
    else if ('dropped' in message) {
      drop(message.dropped);
      reportedAt.delete(message.dropped);
    } else {
      waiting.get(message.name)?.resolve(new Uint8Array(message.buffer));
      waiting.delete(message.name);
    }
  });
  // The port alone must not keep the thread alive.
  port.unref();
  return { cached };
}

function nameOf(kind: string, args: readonly unknown[]): string {
  return `${kind} ${JSON.stringify(args)}`;
}

/** What a thread has opened, by the name of the memory. */
function createCaches(
  acquire: (name: string, build: Build) => Promise<Uint8Array>,
  use: (name: string) => void,
) {
  const caches: Map<string, unknown>[] = [];
  const cached: SharedMemory['cached'] = <Args extends readonly unknown[], Opened>(
    kind: string,
    build: (...args: Args) => Promise<Uint8Array>,
    open: (bytes: Uint8Array, ...args: Args) => Opened | Promise<Opened>,
  ) => {
    const opened = new Map<string, Promise<Opened>>();
    caches.push(opened);
    return (...args: Args) => {
      const name = nameOf(kind, args);
      const known = opened.get(name);
      if (known !== undefined) {
        use(name);
        return known;
      }
      const opening = acquire(name, () => build(...args)).then((bytes) => open(bytes, ...args));
      opened.set(name, opening);
      opening.catch(() => {
        if (opened.get(name) === opening) opened.delete(name);
      });
      return opening;
    };
  };
  return {
    cached,
    drop: (name: string): void => {
      for (const cache of caches) cache.delete(name);
    },
  };
}

function send(port: MessagePort, message: ToOwner | ToThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(message);
}
