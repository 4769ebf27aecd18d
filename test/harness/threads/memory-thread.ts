import { workerData, type MessagePort } from 'node:worker_threads';
import { handleCalls } from '../../../src/threads/open-thread.ts';
import { connectMemory } from '../../../src/threads/shared-memory.ts';

/** Opens a memory of 40 bytes; `build` says what happens if this thread has to build it. */
export interface OpenCall {
  readonly name: string;
  readonly build: 'fill' | 'fail' | 'end';
  /** Shared by both threads; a build sets `begun` and waits for `mayEnd`. Absent: it does not wait. */
  readonly gate?: Gate;
}

interface Gate {
  readonly begun: Int32Array;
  readonly mayEnd: Int32Array;
}

export function openGate(): Gate {
  const flag = () => new Int32Array(new SharedArrayBuffer(4));
  return { begun: flag(), mayEnd: flag() };
}

export async function untilSet(flag: Int32Array): Promise<void> {
  await Atomics.waitAsync(flag, 0, 0).value;
}

export function set(flag: Int32Array): void {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

/** The first byte, and how often this thread has built and opened. */
export type OpenAnswer = readonly [first: number, builds: number, openings: number];

const start: { readonly memoryPort: MessagePort } | null = workerData;
if (start !== null) serve(start.memoryPort);

function serve(port: MessagePort): void {
  const memory = connectMemory(port);
  let builds = 0;
  let openings = 0;
  let call: OpenCall = { name: '', build: 'fill' };
  const bytesOf = memory.cached(
    'test',
    async (_name: string) => {
      builds++;
      const { build, gate } = call;
      if (gate) {
        set(gate.begun);
        await untilSet(gate.mayEnd);
      }
      if (build === 'end') process.exit(1);
      if (build === 'fail') throw new TypeError('It cannot be built here.');
      return new Uint8Array(40).fill(7);
    },
    (bytes) => {
      openings++;
      return bytes;
    },
  );
  handleCalls<OpenCall, OpenAnswer>(async (request) => {
    call = request;
    return [(await bytesOf(request.name))[0], builds, openings];
  });
}
