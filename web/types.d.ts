// What the server sends and what the modules hand to each other; only the type checker reads it.
// The scene is described in docs/scene.md, the answers of the server in docs/api.md.

export type Text = string | { en: string; ja: string };
export type Cert = "exact" | "bound" | "sampled";
export type Mark = "best" | "to" | "any" | "last";

export type Edge = "top" | "right" | "bottom" | "left";

export interface Item {
  id: string; t: string; mark?: Mark; tag?: Text;
  show?: "up" | "known" | "down" | "gone"; face?: string;
  shape?: string; colour?: string; text?: Text; small?: Text; looks?: "up" | "down"; secret?: boolean; name?: Text;
  at?: string; edge?: Edge;
}
export interface Zone {
  id: string; kind: string; label?: Text; items: Item[]; w?: number;
  cols?: number; rows?: number; tiling?: "square" | "points" | "lattice" | "honeycomb"; down?: boolean; bare?: boolean;
  exits?: Record<string, number>; grounds?: Record<string, "dark" | "dot" | "hole">; rims?: Partial<Record<Edge, string>>;
  narrow?: number; per?: number; spread?: boolean;
  /** The page shows it from the other side. */
  turned?: boolean;
}
export interface Value {
  x: number; text: Text; sub?: Text; tone: "+" | "0" | "-"; cert: Cert; interval?: [number, number]; mark?: "ok" | "no";
}
export interface Move {
  id: string; rank?: number; pick?: boolean; label: Text; note?: Text; from?: string; to?: string; on?: string[];
  also?: string[]; each?: { on: string; id: string }[]; short?: Text; value?: Value;
}
export interface Scale { min: number; mid: number; max: number; name: Text; ticks: [number, Text][] }
export interface Line { title: Text; note?: Text; list?: boolean; steps: { text: Text; sub?: Text; seat?: number }[] }
export interface Scene {
  kind: string; v: number; game: string; title: Text; variant: Text;
  seats?: { name: Text; score?: Text; unit?: Text; looks?: "up" | "down"; /** Its score can be typed where the position is edited. */ typed?: boolean }[]; turn?: number; say?: Text;
  zones: Zone[]; layout: string[][]; legend?: { item?: Item; text: Text }[];
  value?: { of: Text; text: Text; note?: Text; cert: Cert }; scale?: Scale; moves?: Move[];
  arrows?: { from: string; to: string; text?: Text; /** The page's own: it was played, and was not best. */ played?: boolean }[]; line?: Line; trust?: Text; notation: string;
}

export interface Param {
  name: string; kind: "int" | "choice" | "text"; min?: number; max?: number; words?: [string, Text][];
  default: string | number; help: Text; accepts: Text; advanced?: boolean;
}
export interface Study { name: string; summary: Text; params: Param[]; rows?: boolean }
export interface Rules { goal?: Text; play?: Text; end?: Text; values?: Text }
export interface Variant { name: Text; settings: Record<string, string> }
export interface Question { asked: Text; known: Text; standing: { id: "answered" | "partly"; text: Text }; /** What shows it. */ study?: string; part?: string }
export interface Game {
  id: string; name: Text; summary: Text; paper: { key: string; citation: Text } | null; rules?: Rules; notation: Text; example?: string; eval?: Text;
  params: Param[]; variants?: Variant[]; studies: Study[]; parts: { id: string; title: Text }[]; questions: Question[]; puzzles: boolean; players?: number;
}
export interface Cost { text: Text; /** Whether values can be had here. */ fits: boolean }
export interface Headline { game: string; big: Text; text: Text; cert: Cert; scene: Scene; settings: Record<string, string>; position?: string; seed: number }

export interface Puzzle { game: string; number: number; settings: Record<string, string>; seed: number; seat: number | null; moves: string[]; choices: number; task: Text; level: { id: string; text: Text }; command: string }
export interface Said { seat: number | null; text: Text; move?: string; from?: string; to?: string }
export interface Mistake { seat: number; decision: number; at: number; played: Text; best: Text; lost: number; text: Text }
export interface Opponent { id: string; name: Text; note: Text }
export interface Table {
  scene: Scene; moves: string[]; said: Said[]; turn: number | null; over: boolean; result?: Text; score?: number; prompt?: Text;
  seat: number | null; sides: { seat: number | null; name: Text }[]; mistakes: Mistake[];
  /** How it is played, where the settings ask for a game with rules of its own. */
  rules?: Rules;
  /** How strong the machine plays, and what there is to choose from. */
  strength?: string; strengths?: Opponent[];
  /** What everybody saw after the last move, before things were covered again. */
  moment?: Scene;
}

export interface Fault { code: string; field?: string; got?: Text; accepts?: Text; message: Text; command?: string }
export interface Progress { what: Text; done: number; total: number; rate: number; left?: number }
export interface Estimate { name: Text; value: number; low: number; high: number; text: Text; /** What the paper says. */ published?: number }
export interface Job {
  id: string; kind: string; game: string; title: Text; command: string; seed?: number;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  elapsed: number; progress: Progress[]; notes: Text[]; live: Estimate[]; rows?: number; error?: Fault; result?: any;
}

export interface Cell { text: Text; tone?: string; badge?: any }
export type Block =
  | { type: "text"; text: Text; heading?: boolean }
  | { type: "facts"; rows: [Text, Cell][] }
  | { type: "table"; title?: Text; columns: { head: Text; align: string }[]; rows: Cell[][]; csv?: string }
  | { type: "drawing"; text: Text }
  | { type: "chart"; title: Text; note?: Text; svg: { en: string; ja: string }; csv?: string }
  | { type: "scenes"; caption?: Text; scenes: Scene[]; plain?: boolean };
export interface Report { good: boolean; blocks: Block[] }
export interface Part { id: string; title: Text; command: string; seconds?: number; tally?: Record<string, number>; report: Report; errata?: Erratum[] }
export interface Erratum { place: Text; statement: Text; counterexample: Text; corrected: Text }

/** What may stand inside an element. */
export type Kid = Node | string | number | null | undefined | false | Kid[];
/** A page that is on the screen. */
export interface View {
  /** Draws it again, in another language perhaps. */
  redraw(): void;
  /** A key that nobody else took; whether it was used. */
  key?(event: KeyboardEvent): boolean;
  /** The address changed without leaving the page; whether it could go along. */
  moved?(): boolean;
}
