import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A document as the server keeps it: values are those of its `bson`. */
export type StoredDocument = Record<string, unknown>

/** What a command answers. */
export type Answer = Record<string, unknown>

/** A command as the wire protocol gives it. */
export interface Command {
  readonly database: string
  readonly command: Readonly<Record<string, unknown>>
  readonly documentSequences?: ReadonlyMap<string, StoredDocument[]> | undefined
}

/** A part of a command that is a document by the protocol; empty where it is absent. */
export function partOf(document: unknown): Readonly<Record<string, unknown>> {
  const part: unknown = Object(document ?? {})
  return part as Readonly<Record<string, unknown>> // an object
}

/** Carries out a command. */
export interface CommandHandler {
  handle(command: Command): Promise<Answer> | Answer
}

/** The parts of `CongoServer` that are used here. */
export interface CongoServer {
  start(): Promise<void>
  stop(): Promise<void>
  readonly server: { address(): { port: number } | null; on(event: 'connection', listener: () => void): void } | null
  readonly commandRouter: { readonly handlers: Map<string, CommandHandler> }
}

/** The parts of mingo that are used here. */
export interface Mingo {
  readonly Context: { init(operators: object): object }
  readonly Query: new (condition: object, options: object) => { test(document: StoredDocument): boolean }
  readonly Aggregator: new (
    pipeline: readonly object[],
    options: object
  ) => { run(documents: readonly StoredDocument[]): StoredDocument[] }
  readonly update: (
    document: StoredDocument,
    modifier: object,
    filters: unknown,
    condition: object,
    options: object
  ) => string[]
}

/** The parts of bson that are used here. */
export interface Bson {
  serialize(document: object): Uint8Array
  deserialize(bytes: Uint8Array): StoredDocument
  calculateObjectSize(document: object): number
  readonly ObjectId: new () => object
  readonly Long: { fromNumber(value: number): object }
  readonly Timestamp: { fromBits(count: number, seconds: number): object }
}

/** What the package holds. */
export interface Congo {
  readonly CongoServer: new (options: { port: number; host: string }) => CongoServer
  readonly bson: Bson
  readonly mingo: Mingo
}

/** Loads the server by its file: the package's main file would load what is not installed. */
export async function loadCongo(): Promise<Congo> {
  const main = createRequire(import.meta.url).resolve('@push.rocks/smartmongo')
  const file = join(dirname(main), 'congodb', 'index.js')
  // What the package exports; a version of it is fixed.
  const module = (await import(pathToFileURL(file).href)) as Pick<Congo, 'CongoServer'> & {
    readonly plugins: Pick<Congo, 'bson' | 'mingo'>
  }
  return { CongoServer: module.CongoServer, ...module.plugins }
}
