// The glue of the program (crates/wasm), which is made with the site; only the type checker reads this.

export interface Done { status: number; kind: string; headers: string[]; body: Uint8Array<ArrayBuffer>; free(): void }
export interface Sent { job: string; lasting: boolean; question: string; body: Uint8Array; rows: Uint32Array; block(): Uint8Array; free(): void }
export class Clerk {
  give(bytes: Uint8Array, rows: number): void;
  does(job: string, question: string, body: Uint8Array): Done;
}
export class Desk {
  constructor(visit: string);
  ask(number: number, method: string, path: string, query: string, kind: string, body: Uint8Array): Done | undefined;
  patience(number: number): number;
  ready(): Uint32Array;
  take(number: number): Done | undefined;
  leave(number: number): void;
  errand(): Sent | undefined;
  recalled(): string | undefined;
  heard(job: string, what: string, bytes: Uint8Array, rows: number): void;
  over(job: string, status: number, kind: string, retry: number | undefined, body: Uint8Array): void;
  tidy(): void;
}
export default function start(how: { module_or_path: WebAssembly.Module }): Promise<unknown>;
